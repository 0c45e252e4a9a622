// SPDX-License-Identifier: GPL-3.0-or-later
// node --experimental-websocket browse.mjs chromium|firefox PROGRAM FOLDER LINK: the student's page in a real browser, 360
// pixels wide. It trains, answers a digit drawn with the keyboard, pauses, goes on, speaks German, is loaded again and
// finds the end; prints what it saw, and whatever the browser complained of. tst_serve starts it.
import * as browsers from "./browsers.mjs";

const [kind, program, folder, link] = process.argv.slice(2);
const browser = await browsers[kind](program, folder);
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const {value} = browser;
const text = (id) => value(`document.getElementById("${id}")?.textContent ?? ""`);
const until = async (id, pattern) => {
  let now = "";
  while (!pattern.test(now = await text(id))) await wait(50);
  return now;
};
const press = async (key, times = 1) => {
  for (let i = 0; i < times; ++i) await browser.press(key);
};

await browser.size(360, 740);
await browser.go(link);
const seen = {complaints: browser.complaints};
await until("answer", /update/);
seen.state = await text("state");
seen.hash = await value("location.href.includes('#')");
await until("class-state", /Update/);  // the class's progress has come
seen.overflow = await value("document.documentElement.scrollWidth - document.documentElement.clientWidth");
await value("document.getElementById('board').focus()");
await press("ArrowUp", 8);
await press(" ");
await press("ArrowDown", 16);
seen.verdict = await until("verdict", /\d/);
// While the class trains on, the sentence always has the percentage of the bar below it.
const verdicts = `JSON.stringify([document.getElementById("verdict").textContent,
  document.querySelector("#beliefs .first span:last-child").textContent])`;
seen.agree = true;
for (const met = new Set(); met.size < 6;) {
  const [sentence, bar] = JSON.parse(await value(verdicts));
  seen.agree &&= sentence.endsWith(`with ${bar}.`);
  met.add(await text("class-state"));  // another update, so mostly other weights
}
await value("document.getElementById('pause').click()");
seen.paused = await until("state", /paused/);
await value("document.getElementById('pause').click()");
await until("state", /you are training/);
await value("document.getElementById('german').click()");
seen.german = await value("document.querySelector('h1').textContent");
await browser.reload();
seen.again = await until("state", /trainieren/);
await value("document.getElementById('english').click()");
console.log("ready");
seen.end = await until("state", /over/);
console.log(JSON.stringify(seen));
process.exit(0);
