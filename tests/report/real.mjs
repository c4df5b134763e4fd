// Opens reports of real data sets. Called with the folder of tools/report, the browser, and the folder of reports.

import { audit, button, cards, check, finish, open } from "./pages.mjs";

// The others have nothing that these or the pages of browser.mjs do not have.
const AUDITED = new Set(["adult", "mutagenesis", "letters"]);
const LAPTOP = { viewport: { width: 1366, height: 768 } };

/** No text of the page stands out of its box, and nothing makes the page wider than the window. */
async function tryLayout(page, name) {
  const width = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  check(width <= 0, `${name} is ${width} pixels wider than its window`);
  const overlapping = await page.evaluate(() => [...document.querySelectorAll(".canvas .card")].filter((card) => {
    const frame = card.querySelector(".back").getBoundingClientRect();
    return [...card.querySelectorAll("text")].some((text) => text.getBoundingClientRect().right > frame.right + 1);
  }).length);
  check(overlapping === 0, `${name} has ${overlapping} cards with texts that are too long`);
  const empty = await page.evaluate(() => [...document.querySelectorAll("main section")].filter((one) => one.innerText.trim().split("\n").length < 2).length);
  check(empty === 0, `${name} has ${empty} empty sections`);
}

for (const name of ["adult", "voting", "mutagenesis", "letters", "large"]) {
  const page = await open(name, { ...LAPTOP, colorScheme: name === "letters" ? "dark" : "light" });
  await tryLayout(page, name);
  await cards(page).last().click();
  check((await page.locator(".detail h3").innerText()).match(/^(Leaf|Node) /), `${name} shows a node`);
  await button(page, "The next row").click();
  check((await page.locator(".answer .big").last().innerText()).length > 3, `${name} answers a row`);
  if (AUDITED.has(name)) await audit(page, name);
  await page.close();
  const phone = await open(name, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  await tryLayout(phone, `${name} on a phone`);
  await phone.close();
}
await finish();
