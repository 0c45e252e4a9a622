// SPDX-License-Identifier: GPL-3.0-or-later
// node --experimental-websocket learn.mjs ROOT LINK: the page's Worker in a class, in node. It pauses, goes on and asks;
// then prints what it saw. tst_serve starts it.
import {readFile} from "node:fs/promises";

const [root, link] = process.argv.slice(2);
const {ClassWorker, parseLink} = await import(`${root}/core/wasm/class_worker.mjs`);
const {loadReplicas} = await import(`${root}/core/wasm/replica.mjs`);
const {Learner} = await import(`${root}/resources/class/page/learner.mjs`);

const seen = {welcome: 0, step: 0, ended: 0, pictures: 0, answers: 0, progress: 0, points: 0, sum: 0, applied: 0, layers: []};
// What was under way is still applied, nothing else.
function sleep(counts) {
  const before = counts.applied;
  learner.take({what: "asleep", asleep: true});
  setTimeout(() => {
    seen.whileAsleep = counts.applied - before;
    learner.take({what: "asleep", asleep: false});
  }, 500);
}

const module = () => readFile(`${root}/resources/class/replica.wasm`);
const learner = new Learner({ClassWorker, parseLink, loadReplicas, WebSocket, module}, (message) => {
  if (message.what in seen) ++seen[message.what];
  switch (message.what) {
    case "welcome": seen.name = message.name; break;
    case "step":
      if (message.batch) {
        seen.pictures = message.batch.pixels.length;
        seen.layers = message.batch.gradients.map(({layer}) => layer);
        learner.take({what: "ask", id: 7, picture: new Uint8Array(784).fill(9)});
      }
      if (message.answer?.update) ++seen.answers;
      if (message.progress) ++seen.progress;
      seen.points += message.points.length;
      seen.applied = message.counts.applied;
      if (seen.step === 1) sleep(message.counts);
      break;
    case "asked":
      if (message.probabilities) seen.sum = message.probabilities.reduce((sum, value) => sum + value, 0);
      break;
    case "ended":
      seen.sum = 0;
      learner.take({what: "ask", id: 8, picture: new Uint8Array(784).fill(9)});  // a drawing then gets its answer
      console.log(JSON.stringify(seen));
      process.exit(0);
      break;
    default:
      console.error(JSON.stringify(message));
      process.exit(1);
  }
});
learner.take({what: "join", link});
