// The page's data: JSON, and one deflated block of all arrays (see numbers.py).

const KINDS = { f4: Float32Array, f8: Float64Array };

export async function readData() {
  const data = JSON.parse(document.getElementById("data").textContent);
  const block = await inflated(document.getElementById("numbers").textContent);
  let at = 0;
  data.arrays = data.arrays.map(({ kind, shape }) => {
    const count = shape.reduce((a, b) => a * b, 1);
    const Kind = KINDS[kind];
    const values = new Kind(unshuffled(block, at, count, Kind.BYTES_PER_ELEMENT));
    at += count * Kind.BYTES_PER_ELEMENT;
    return { values, shape };
  });
  return data;
}

async function inflated(text) {
  const packed = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

// First bytes of all numbers, then second ones, ...: back to number after number.
function unshuffled(block, at, count, size) {
  const out = new Uint8Array(count * size);
  for (let b = 0; b < size; b++) {
    const from = at + b * count;
    for (let i = 0; i < count; i++) out[i * size + b] = block[from + i];
  }
  return out.buffer;
}
