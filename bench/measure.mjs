// One row, measured in this process alone: `node bench/measure.mjs NAME [--quick]`, started by bench/main.mjs, which is told the
// figures. Rows must not share a heap, a compiler that has warmed up, or a page cache of somebody else's making.

const [name, mode] = process.argv.slice(2);
/** @type {{ measure: import("./registry.mjs").Measure }} */
const { measure } = await import(`./rows/${name}.mjs`);
const figures = await measure({ quick: mode === "--quick" });
if (process.send === undefined) console.log(JSON.stringify(figures, null, 2));
else process.send(figures);
// What a row has started it has ended; a socket that is still closing must not hold the next row up.
process.disconnect?.();
