// SPDX-License-Identifier: GPL-3.0-or-later
// node --experimental-websocket join.mjs REPLICA_WASM LINK: a browser's worker in node. tst_serve starts it.
import {readFile} from "node:fs/promises";
import {work} from "../../core/wasm/class_worker.mjs";

const [module, link] = process.argv.slice(2);
let applied = 0;
try {
  const end = await work(link, await readFile(module), {tell: (what) => { if (what === "applied") ++applied; }});
  console.log(JSON.stringify({...end, applied}));
  process.exit(end.over ? 0 : 1);
} catch (error) {
  console.error(error.message);
  process.exit(2);
}
