// SPDX-License-Identifier: GPL-3.0-or-later
// A real browser without a window, driven over a WebSocket: Chromium by its DevTools protocol, Firefox by WebDriver BiDi
// (https://www.w3.org/TR/webdriver-bidi). FOLDER, which is there, is for its profile. Both end with this program. Each is
// {size(width, height), go(url), reload(), value(expression), press(key), complaints}: what the browser complained of.
import {spawn} from "node:child_process";
import {writeFileSync} from "node:fs";

const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

// Its process; the first match of what it says on standard error.
async function start(program, options, pattern) {
  const browser = spawn(program, options, {stdio: ["ignore", "ignore", "pipe"]});
  process.on("exit", () => browser.kill("SIGKILL"));
  return new Promise((resolve) => {
    let said = "";
    browser.stderr.on("data", (data) => {
      said += data;
      const match = pattern.exec(said);
      if (match) resolve(match[1]);
    });
  });
}

// call(method, params): its result. `heard`: events.
async function connect(url, heard) {
  const socket = new WebSocket(url), waiting = new Map();
  await new Promise((resolve) => { socket.onopen = resolve; });
  let calls = 0;
  socket.onmessage = ({data}) => {
    const message = JSON.parse(data);
    if (message.id) waiting.get(message.id)(message);
    else heard(message);
  };
  return async (method, params = {}) => {
    const answer = await new Promise((resolve) => {
      waiting.set(++calls, resolve);
      socket.send(JSON.stringify({id: calls, method, params}));
    });
    if (answer.error) throw new Error(`${method}: ${JSON.stringify(answer)}`);
    return answer.result;
  };
}

export async function chromium(program, folder) {
  const address = await start(program, ["--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-port=0",
                                        "--lang=en", "--accept-lang=en", `--user-data-dir=${folder}`, "about:blank"],
                              /ws:\/\/([^/]+)\//);
  let page;
  while (!page) {
    page = (await (await fetch(`http://${address}/json`)).json()).find(({type}) => type === "page");
    if (!page) await wait(50);
  }
  const complaints = [];
  const call = await connect(page.webSocketDebuggerUrl, ({method, params}) => {
    if (method === "Runtime.exceptionThrown") complaints.push(params.exceptionDetails.exception?.description);
    if (method === "Log.entryAdded") complaints.push(params.entry.text);
  });
  for (const domain of ["Page", "Runtime", "Log"]) await call(`${domain}.enable`);
  return {
    complaints,
    size: (width, height) =>
        call("Emulation.setDeviceMetricsOverride", {width, height, deviceScaleFactor: 1, mobile: true}),
    go: (url) => call("Page.navigate", {url}),
    reload: () => call("Page.reload"),
    value: async (expression) =>
        (await call("Runtime.evaluate", {expression, returnByValue: true})).result?.value,
    press: async (key) => {
      for (const type of ["keyDown", "keyUp"])
        await call("Input.dispatchKeyEvent", {type, key, text: type === "keyDown" && key === " " ? " " : undefined});
    },
  };
}

export async function firefox(program, folder) {
  writeFileSync(`${folder}/user.js`, 'user_pref("intl.accept_languages", "en");\n');
  const address = await start(program, ["--headless", "--no-remote", "--remote-debugging-port=0", "--profile", folder,
                                        "about:blank"],
                              /ws:\/\/(\S+)/);
  const complaints = [];
  const call = await connect(`ws://${address}/session`, ({method, params}) => {
    if (method === "log.entryAdded" && ["error", "warn"].includes(params.level)) complaints.push(params.text);
  });
  await call("session.new", {capabilities: {}});
  await call("session.subscribe", {events: ["log.entryAdded"]});
  const context = (await call("browsingContext.getTree")).contexts[0].context;
  const keys = {ArrowUp: "\uE013", ArrowDown: "\uE015", " ": " "};  // WebDriver's, in the private use area
  return {
    complaints,
    size: (width, height) => call("browsingContext.setViewport", {context, viewport: {width, height}}),
    go: (url) => call("browsingContext.navigate", {context, url, wait: "complete"}),
    reload: () => call("browsingContext.reload", {context, wait: "complete"}),
    value: async (expression) =>
        (await call("script.evaluate", {expression, target: {context}, awaitPromise: false})).result?.value,
    press: (key) => call("input.performActions", {
      context,
      actions: [{type: "key", id: "keys", actions: ["keyDown", "keyUp"].map((type) => ({type, value: keys[key]}))}],
    }),
  };
}
