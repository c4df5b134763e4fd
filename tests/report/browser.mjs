// Opens the reports of a folder in a browser, and uses everything that people use. Called with the folder of
// tools/report, the browser, and the folder of reports.

import { audit, button, cards, check, finish, notes, open } from "./pages.mjs";

async function tryTree(page) {
  const atFirst = await cards(page).count();
  await button(page, "Close all nodes").click();
  const closed = await cards(page).count();
  check(closed === 3, `closed, the tree shows the root and its children, not ${closed} nodes`);
  await button(page, "Open all nodes").click();
  const opened = await cards(page).count();
  check(opened >= atFirst && opened > closed, "all nodes are shown when all are open");
  const before = await page.locator(".canvas > g").getAttribute("transform");
  await button(page, "Zoom in").click();
  check(before !== (await page.locator(".canvas > g").getAttribute("transform")), "the button zooms");
  await button(page, "Fit the drawing into its frame").click();
  await page.mouse.move(0, 0);
  await cards(page).nth(1).hover();
  check(/interval/.test(await page.locator("#hover").innerText()), "a node that is pointed at shows its interval");
  const leaf = page.locator(".canvas .leaf").first();
  await leaf.click();
  check(/^if /.test(await page.locator(".detail .rule").innerText()), "a leaf that is chosen shows its rule");
  await page.locator(".detail summary").click();
  check(/"size" |"colour" |"grade" |"noise" /.test(await page.locator(".detail pre").innerText()), "and its condition in SQL");
}

async function trySearch(page) {
  await page.getByLabel("Find the nodes that test a column").fill("colour");
  const hits = await page.locator(".canvas .hit").count();
  check(hits > 0, "a search marks the nodes that test a column");
  check((await page.locator(".tools output").first().innerText()).startsWith(`${hits} `), "and counts them");
  await page.getByLabel("Find the nodes that test a column").press("Enter");
  check(/colour/.test(await page.locator(".detail").innerText()), "Enter chooses the first of them");
  await page.getByLabel("Find the nodes that test a column").fill("");
  check((await page.locator(".canvas .hit").count()) === 0, "an empty search marks nothing");
}

async function tryKeys(page) {
  await page.locator('.canvas [data-node="0"]').focus();
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowRight");
  const child = await page.evaluate(() => document.activeElement.dataset.node);
  check(child === "1", `the arrow goes to the first child, not to ${child}`);
  await page.keyboard.press("ArrowDown");
  check((await page.evaluate(() => document.activeElement.dataset.node)) === "2", "and to its sibling");
  const before = await cards(page).count();
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press(" ");
  check((await cards(page).count()) < before, "Space closes a node");
  await page.keyboard.press(" ");
  check((await cards(page).count()) > 1, "and opens it");
}

async function tryIcicle(page) {
  await page.getByRole("button", { name: /^Icicle/ }).click();
  check((await page.locator(".canvas .box").count()) > 3, "the icicle is drawn");
  await page.locator(".canvas .box").nth(2).click();
  check((await page.locator(".canvas .box.chosen").count()) === 1, "a node of the icicle can be chosen");
  await audit(page, "icicle");
  await button(page, "Tree").click();
}

const answered = (page) => page.locator(".answer").evaluate((panel) => JSON.parse(panel.dataset.probabilities));

async function tryRows(page, isSummary) {
  const content = await page.evaluate(() => JSON.parse(document.getElementById("content").textContent));
  let worst = 0;
  for (let place = 0; place < 25; place += 1) {
    await page.locator("#row").selectOption({ index: place });
    const found = await answered(page);
    worst = Math.max(worst, ...found.map((value, at) => Math.abs(value - content.rows.answers[place][at])));
  }
  if (isSummary) {
    check(/Whole model/.test(await page.locator(".answer").innerText()), "the answer of the whole model is told");
    await page.locator("#row").selectOption({ index: 3 });
    const { lower, upper } = content.rows.bounds;
    const best = content.rows.answers[3].indexOf(Math.max(...content.rows.answers[3]));
    const [from, to] = (await page.locator(".answer .whole").innerText()).match(/interval ([\d.]+) to ([\d.]+)/).slice(1).map(Number);
    check(Math.abs(from - lower[3][best]) < 0.006 && Math.abs(to - upper[3][best]) < 0.006, "with its own interval");
  } else check(worst < 1e-8, `the page answers as the model does, but for ${worst}`);
  await button(page, "Show the leaf in the tree").click();
  check(/Leaf/.test(await page.locator(".detail h3").innerText()), "the leaf of a row is shown in the tree");
  check((await page.locator(".canvas .on-path").count()) > 0, "the path of the row is marked in the tree");
  await page.getByLabel("Order").selectOption({ index: 1 });
  const first = await page.locator("#row option").first().innerText();
  const surprise = Math.min(...content.rows.answers.map((answer, at) => answer[content.rows.truth[at]]));
  check(Math.abs(Number(first.match(/given (\S+)$/)[1]) - surprise) < 0.01, "the most surprising row comes first");
}

async function tryForm(page) {
  const before = await answered(page);
  await button(page, "Clear: all values missing").click();
  const cleared = await answered(page);
  check(JSON.stringify(before) !== JSON.stringify(cleared), "a row without values has another answer");
  await page.locator(".row-form").getByLabel("size", { exact: true }).fill("2.5");
  check(JSON.stringify(cleared) !== JSON.stringify(await answered(page)), "a number that is filled in changes the answer");
  await page.locator(".row-form").getByLabel("colour", { exact: true }).selectOption("(another value)");
  check(/answer together/.test(await page.locator(".answer").innerText()), "a value that was never seen is blended, and the page says so");
  check(/nearest other prediction/i.test(await page.locator(".answer").innerText()), "another prediction is told");
  check((await page.locator(".answer .lever").count()) > 0, "contributions of columns are drawn");
}

async function tryTables(page) {
  check((await page.locator("#quality figure svg").count()) === 4, "there are four charts");
  await page.getByLabel("Charts of the class").selectOption({ index: 1 });
  check((await page.locator("#quality figure svg").count()) === 4, "there are four charts of another class");
  const lines = page.locator("#rules tbody tr");
  const all = await lines.count();
  await page.locator("#rules").getByRole("button", { name: "Probability" }).click();
  const shares = await page.locator("#rules tbody tr td:nth-child(2)").allInnerTexts();
  check(shares.map(Number).every((value, place, list) => place === 0 || value <= list[place - 1]), "rules are sorted by probability");
  await page.getByLabel("Filter the rules").fill("colour");
  check((await lines.count()) < all && (await lines.count()) > 0, "rules are filtered");
  await lines.first().getByRole("button").click();
  check(/Leaf/.test(await page.locator(".detail h3").innerText()), "a rule leads to its leaf");
  check((await page.locator("#columns tbody tr").count()) === 4, "all columns are listed");
}

/** How long a click on each of many leaves takes, until the page has been drawn again. */
async function tryClicks(page) {
  await button(page, "Open all nodes").click();
  const times = await page.evaluate(async () => {
    const frame = () => new Promise((done) => { requestAnimationFrame(() => setTimeout(done)); });
    const found = [];
    const leaves = [...document.querySelectorAll(".canvas .leaf")];
    for (const leaf of leaves.slice(0, 40)) {
      const start = performance.now();
      leaf.dispatchEvent(new MouseEvent("click", { bubbles: true }));
      await frame();
      found.push(performance.now() - start);
    }
    return { leaves: leaves.length, found: found.sort((one, other) => one - other) };
  });
  notes.leaves = times.leaves;
  notes.medianClick = Math.round(times.found[20]);
  notes.slowestClick = Math.round(times.found[39]);
  check(times.leaves >= 400, `there are 400 leaves, not ${times.leaves}`);
  check(times.found[39] < 1000, `a click takes ${times.found[39]} ms`);
}

const flat = await open("flat");
await tryTree(flat);
await trySearch(flat);
await tryKeys(flat);
await tryIcicle(flat);
await tryRows(flat, false);
await tryForm(flat);
await tryTables(flat);
await flat.getByRole("link", { name: "Rules", exact: true }).click();
check((await flat.evaluate(() => document.activeElement.id)) === "rules", "a link goes to its section");
await audit(flat, "flat");
await button(flat, "Dark colours").click();
await audit(flat, "flat, dark");
check((await flat.evaluate(() => document.documentElement.dataset.theme)) === "dark", "the page turns dark");

const options = await open("options", { colorScheme: "dark" });
await tryRows(options, true);
check(/Log loss, whole model\s+[\d.]+\s+summary [\d.]+/.test(await options.locator("#quality .measures").innerText()), "measures of the whole model and of the summary are shown");
check(/leaves of the summary[^]*bits per row, whole model[^]*bits per row, summary/.test(await options.locator("#head").innerText()), "the head says which figures are those of the summary");
check(/averages over/.test(await options.locator("#tree .note").innerText()), "an option tree says what is drawn");
await audit(options, "options");

const related = await open("related");
check(/^yes|^no/.test(await related.locator(".answer .big").innerText()), "an example is answered");
await related.getByLabel("Order").selectOption({ index: 1 });
check(/molecule \d+: /.test(await related.locator("#row option").first().innerText()), "examples go by their keys");
check((await related.locator(".witness").first().innerText()).includes("id"), "the row of an example is shown");
await related.getByLabel("Order").selectOption({ index: 0 });
const { examples } = await related.evaluate(() => JSON.parse(document.getElementById("content").textContent));
const found = examples.leaves.findIndex((leaf) => examples.heads[leaf].length > 1);
await related.locator("#row").selectOption({ index: found });
check((await related.locator(".witness").count()) === examples.heads[examples.leaves[found]].length, "and the rows that its tests found");
check((await related.locator(".witnesses").innerText()).includes(examples.rows[found][1][1]), "with their values");
await related.locator(".canvas .leaf").first().click();
await related.locator(".detail summary").click();
check(/^SELECT/.test(await related.locator(".detail pre").innerText()), "its leaves have SQL");
await audit(related, "related");

for (const viewport of [{ width: 1280, height: 900 }, { width: 390, height: 800 }]) {
  const dated = await open("dated", { viewport });
  const field = dated.locator(".row-form").getByLabel("signed");
  check(/T\d\d:30:15\.25/.test(await field.inputValue()), `a date has its milliseconds, not ${await field.inputValue()}`);
  const room = await field.evaluate((input) => {
    const given = input.offsetWidth;
    input.style.width = "max-content";
    return given - input.offsetWidth;
  });
  check(room >= 0, `a date has room for its time, not ${-room} px too few`);
}

const hostile = await open("hostile");
await button(hostile, "Open all nodes").click();
await hostile.locator(".canvas .leaf").first().click();
await hostile.locator(".canvas .leaf").first().hover();
check((await hostile.evaluate(() => window.hacked)) === undefined, "hostile names ran");
check((await hostile.locator("main img, main script").count()) === 0, "hostile names became elements");
check((await hostile.locator("#rules").innerText()).includes("<img src=x onerror="), "hostile names are shown as they are");
await hostile.close();

const phone = await open("flat", { viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true });
check((await phone.evaluate(() => document.documentElement.scrollWidth)) <= 390, "a phone does not scroll sideways");
await phone.locator(".canvas [data-node]").first().tap();
await audit(phone, "phone");

const phoneText = await phone.locator(".canvas .branch").first().evaluate((text) => (parseFloat(getComputedStyle(text).fontSize) * text.getBoundingClientRect().height) / text.getBBox().height);
check(phoneText >= 10, `the tests of the tree are ${phoneText} px high on a phone`);
check(await phone.evaluate(() => {
  const frame = document.querySelector(".canvas").getBoundingClientRect();
  return [...document.querySelectorAll(".canvas .card")].every((card) => card.getBoundingClientRect().right <= frame.right);
}), "a node and its children fit on a phone");

const large = await open("large");
await button(large, "Open all nodes").click();
const outside = await large.evaluate(() => {
  const frame = document.querySelector(".canvas").getBoundingClientRect();
  const isOutside = ({ left, right, top, bottom }) => left < frame.left - 1 || right > frame.right + 1 || top < frame.top - 1 || bottom > frame.bottom + 1;
  return [...document.querySelectorAll(".canvas .card")].filter((card) => isOutside(card.getBoundingClientRect())).length;
});
check(outside === 0, `all nodes are seen when all are open, but for ${outside}`);
await large.close();
await tryClicks(await open("large"));
await finish();
