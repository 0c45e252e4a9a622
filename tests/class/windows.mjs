// SPDX-License-Identifier: GPL-3.0-or-later
// node --experimental-websocket windows.mjs LINK COUNT: opens the page in so many windows of the Chromium that listens on
// port 9222. In tabs of one window all but one would be in the background, which is asleep.
const [link, count] = process.argv.slice(2);
let version = null;
while (version === null) version = await fetch("http://127.0.0.1:9222/json/version").then((it) => it.json()).catch(() => null);
const socket = new WebSocket(version.webSocketDebuggerUrl);
await new Promise((resolve) => { socket.onopen = resolve; });
for (let id = 1; id <= Number(count); ++id)
  await new Promise((resolve) => {
    socket.onmessage = ({data}) => { if (JSON.parse(data).id === id) resolve(); };
    socket.send(JSON.stringify({id, method: "Target.createTarget", params: {url: link, newWindow: true}}));
  });
process.exit(0);
