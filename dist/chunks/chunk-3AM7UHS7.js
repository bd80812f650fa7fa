import{createRequire}from'node:module';const require=createRequire(import.meta.url);
var t=class extends Error{name="TextFault"};function n(e){return e.replace(/\r\n?/g,`
`).trim()}async function l(e){let r=n(e.source);if(!a(r,e.links))return{text:r,notices:[]};let{rewrite:o}=await import("./rewrite-PHVPLMBF.js"),{text:s,notices:i}=await o({...e,source:r});return{text:n(s),notices:i}}function a(e,r){return c[r].test(e)}var c={keep:/<!--/,expand:/<!--|[@#&\\]|GH-\d|[\da-f]{7}|\]\(|\]:|<a\b/i,strip:/[</@&\\%]|\]\(|\]:|\.\./};export{t as a,n as b,l as c,a as d};
