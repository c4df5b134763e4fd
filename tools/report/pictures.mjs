// Takes the pictures of reports that stand in the documentation. Called with the folder of tools/report, the browser,
// the folder of reports, and that of pictures.

import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [tools, executablePath, folder, pictures] = process.argv.slice(2);
const { chromium } = createRequire(join(tools, "package.json"))("playwright-core");
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
const LAPTOP = { viewport: { width: 1280, height: 800 } };
const DARK = { ...LAPTOP, colorScheme: "dark" };
const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };

async function open(name, options) {
  const page = await browser.newPage({ ...options, reducedMotion: "reduce" });
  await page.goto(pathToFileURL(join(folder, `${name}.html`)).href);
  await page.waitForFunction(() => document.documentElement.dataset.ready === "yes");
  return page;
}

const button = (page, name) => page.getByRole("button", { name });

/** The whole window, or a section alone, without the list of places that stays above it. */
async function take(page, name, section = null) {
  await page.mouse.move(0, 0);
  const path = join(pictures, `report-${name}.png`);
  if (section === null) {
    await page.screenshot({ path });
  } else {
    await page.addStyleTag({ content: "#places { display: none; }" });
    await page.locator(section).screenshot({ path });
  }
  await page.close();
}

const adult = await open("adult", LAPTOP);
await adult.locator(".canvas .card").nth(3).click();
await take(adult, "adult");
await take(await open("adult", LAPTOP), "quality", "#quality");
await take(await open("adult", DARK), "row", "#explain");
await take(await open("adult", PHONE), "phone");

const voting = await open("voting", LAPTOP);
await voting.locator(".canvas .leaf").nth(1).click();
await take(voting, "voting");
await take(await open("voting", LAPTOP), "options", "#options");

const mutagenesis = await open("mutagenesis", LAPTOP);
await button(mutagenesis, "The next row").click();
await take(mutagenesis, "mutagenesis", "#explain");

const letters = await open("letters", LAPTOP);
await letters.locator(".canvas .card").last().click();
await take(letters, "letters");

const large = await open("large", DARK);
await button(large, "Icicle").click();
await button(large, "Open all nodes").click();
await large.locator(".canvas .box").nth(40).click();
await take(large, "large");
await browser.close();
