import{createRequire}from'node:module';const require=createRequire(import.meta.url);
import{e as a}from"./chunk-AI53PZVY.js";import"./chunk-HZWFSQBT.js";import"./chunk-AYNVGI6I.js";export{a as readMarkdown};
