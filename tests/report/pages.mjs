// What the scripts of the tests share: a browser, reports opened in it, and a list of what went wrong.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [tools, executablePath, folder] = process.argv.slice(2);
const need = createRequire(join(tools, "package.json"));
const { chromium } = need("playwright-core");
const axe = readFileSync(need.resolve("axe-core/axe.min.js"), "utf8");
const failures = [];
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });

export const notes = {};

export function check(isRight, what) {
  if (!isRight) failures.push(what);
}

/** A page with a report in it; whatever it complains of, or asks the network for, is a failure. */
export async function open(name, options = {}) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, ...options });
  page.setDefaultTimeout(10000);
  page.on("console", (message) => { if (message.type() !== "log") failures.push(`${name} says: ${message.text()}`); });
  page.on("pageerror", (error) => failures.push(`${name} fails: ${error.message}`));
  page.on("dialog", (dialog) => failures.push(`${name} opens a dialog: ${dialog.message()}`));
  page.on("request", (request) => { if (!/^(file|data|about):/.test(request.url())) failures.push(`${name} asks for ${request.url()}`); });
  await page.goto(pathToFileURL(join(folder, `${name}.html`)).href);
  await page.waitForFunction(() => document.documentElement.dataset.ready === "yes");
  return page;
}

/** What axe-core finds that keeps people out. */
export async function audit(page, name) {
  await page.evaluate(axe);
  const found = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
  for (const { id, nodes } of found.violations) failures.push(`${name}: axe finds ${id} at ${nodes.slice(0, 3).map((node) => node.target.join(" ")).join(", ")}`);
}

export const cards = (page) => page.locator(".canvas [data-node]");
export const button = (page, name) => page.getByRole("button", { name, exact: true });

/** Closes the browser and prints what was found, one line of JSON: {failures: [...], notes: {...}}. */
export async function finish() {
  await browser.close();
  process.stdout.write(JSON.stringify({ failures, notes }));
}
