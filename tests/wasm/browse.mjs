// SPDX-License-Identifier: GPL-3.0-or-later
// node --experimental-websocket browse.mjs CHROMIUM FOLDER LINK: the student's page in a real Chromium, 360 pixels wide. It
// trains, answers a digit drawn with the keyboard, pauses, goes on, speaks German, is loaded again and finds the end; prints
// what it saw, and whatever the browser complained of. FOLDER: for its profile. tst_serve starts it.
import {spawn} from "node:child_process";

const [program, folder, link] = process.argv.slice(2);
const browser = spawn(program, ["--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-port=0", "--lang=en",
                                "--accept-lang=en", `--user-data-dir=${folder}`, "about:blank"], {stdio: ["ignore", "ignore", "pipe"]});
process.on("exit", () => browser.kill("SIGKILL"));
const address = await new Promise((resolve) => {
  let said = "";
  browser.stderr.on("data", (data) => {
    said += data;
    const match = /ws:\/\/([^/]+)\//.exec(said);
    if (match) resolve(match[1]);
  });
});
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
let page;
while (!page) {
  page = (await (await fetch(`http://${address}/json`)).json()).find(({type}) => type === "page");
  if (!page) await wait(50);
}
const socket = new WebSocket(page.webSocketDebuggerUrl);
await new Promise((resolve) => { socket.onopen = resolve; });
const waiting = new Map(), complaints = [];
let calls = 0;
socket.onmessage = ({data}) => {
  const {id, method, params, result} = JSON.parse(data);
  if (id) waiting.get(id)(result);
  if (method === "Runtime.exceptionThrown") complaints.push(params.exceptionDetails.exception?.description);
  if (method === "Log.entryAdded") complaints.push(params.entry.text);
};
const call = (method, params = {}) => new Promise((resolve) => {
  waiting.set(++calls, resolve);
  socket.send(JSON.stringify({id: calls, method, params}));
});
const value = async (expression) => (await call("Runtime.evaluate", {expression, returnByValue: true})).result?.value;
const text = (id) => value(`document.getElementById("${id}")?.textContent ?? ""`);
const until = async (id, pattern) => {
  let now = "";
  while (!pattern.test(now = await text(id))) await wait(50);
  return now;
};
const press = async (key, times = 1) => {
  for (let i = 0; i < times; ++i)
    for (const type of ["keyDown", "keyUp"])
      await call("Input.dispatchKeyEvent", {type, key, text: type === "keyDown" && key === " " ? " " : undefined});
};

for (const domain of ["Page", "Runtime", "Log"]) await call(`${domain}.enable`);
await call("Emulation.setDeviceMetricsOverride", {width: 360, height: 740, deviceScaleFactor: 1, mobile: true});
await call("Page.navigate", {url: link});
const seen = {complaints};
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
await value("document.getElementById('pause').click()");
seen.paused = await until("state", /paused/);
await value("document.getElementById('pause').click()");
await until("state", /you train/);
await value("document.getElementById('german').click()");
seen.german = await value("document.querySelector('h1').textContent");
await call("Page.reload");
seen.again = await until("state", /trainieren/);
await value("document.getElementById('english').click()");
console.log("ready");
seen.end = await until("state", /over/);
console.log(JSON.stringify(seen));
process.exit(0);
