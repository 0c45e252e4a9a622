// SPDX-License-Identifier: GPL-3.0-or-later
// A board for one digit: finger, mouse, or arrow keys and the space bar.
import {digitOf} from "./pictures.mjs";

const keyStep = 10, thick = 22;
const moves = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]};

// `ask` gets the digit, 28 × 28, or null where there is none; `pen` whether the keyboard's pen is down.
export function board(canvas, mark, {ask, pen, colour}) {
  const context = canvas.getContext("2d", {willReadFrequently: true}), side = canvas.width;
  let place = [side / 2, side / 2], isDown = false, stroke = null;

  const line = (from, to) => {
    context.strokeStyle = colour();
    context.lineWidth = thick;
    context.lineCap = "round";
    context.beginPath();
    context.moveTo(...from);
    context.lineTo(...to);
    context.stroke();
  };
  const askNow = () => {
    const {data} = context.getImageData(0, 0, side, side), ink = new Uint8Array(side * side);
    for (let i = 0; i < ink.length; ++i) ink[i] = data[4 * i + 3];  // what is drawn covers the ground
    ask(digitOf(ink, side));
  };
  const showPen = () => {
    mark.style.left = `${place[0] / side * 100}%`;
    mark.style.top = `${place[1] / side * 100}%`;
    mark.classList.toggle("down", isDown);
  };
  const pointAt = (event) => {
    const box = canvas.getBoundingClientRect();
    return [(event.clientX - box.left) / box.width * side, (event.clientY - box.top) / box.height * side];
  };

  // A second finger neither draws nor ends the stroke of the first.
  canvas.onpointerdown = (event) => {
    if (!event.isPrimary || event.button !== 0) return;
    canvas.setPointerCapture(event.pointerId);
    stroke = pointAt(event);
    line(stroke, stroke);
  };
  canvas.onpointermove = (event) => {
    if (!stroke || !event.isPrimary) return;
    const to = pointAt(event);
    line(stroke, to);
    stroke = to;
  };
  canvas.onpointerup = canvas.onpointercancel = (event) => {
    if (!stroke || !event.isPrimary) return;
    stroke = null;
    askNow();
  };
  canvas.onkeydown = (event) => {
    if (event.key === " ") {
      isDown = !isDown;
      if (isDown) line(place, place);
      pen(isDown);
    } else if (event.key in moves) {
      const to = place.map((value, i) => Math.min(side, Math.max(0, value + keyStep * moves[event.key][i])));
      if (isDown) line(place, to);
      place = to;
    } else {
      return;
    }
    event.preventDefault();
    mark.hidden = false;
    showPen();
    if (isDown) askNow();
  };
  canvas.onblur = () => {
    mark.hidden = true;
    if (!isDown) return;
    isDown = false;
    pen(false);
  };

  return {
    ask: askNow,
    clear() {
      context.clearRect(0, 0, side, side);
      askNow();
    },
    recolour() {
      context.globalCompositeOperation = "source-in";
      context.fillStyle = colour();
      context.fillRect(0, 0, side, side);
      context.globalCompositeOperation = "source-over";
    },
  };
}
