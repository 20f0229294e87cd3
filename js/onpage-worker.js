// One run of a cell: MicroPython in a worker, which the page ends when it takes too long.
import { loadMicroPython } from './micropython.mjs';

const MOST = 1e4;   // letters that are shown
const decoder = new TextDecoder();
let said = 0;

function say(bytes) {
  const text = decoder.decode(bytes, { stream: true });
  said += text.length;
  if (said < MOST) postMessage({ text });
  else if (said - text.length < MOST) postMessage({ end: `\nStopped after ${MOST} letters.` });
}

const url = new URL('micropython.wasm', import.meta.url).href;
const python = await loadMicroPython({ url, stdout: say, stderr: say, linebuffer: false, heapsize: 8 << 20 });

onmessage = ({ data }) => {
  let end = '';
  try {
    python.runPython(data);
  } catch (error) {
    end = error.message;
  }
  postMessage({ end });
};
postMessage({ ready: true });
