import{createRequire}from'node:module';const require=createRequire(import.meta.url);
import{a,b}from"./chunk-Y6BEHCD3.js";import"./chunk-QXFGUEF4.js";import"./chunk-AYNVGI6I.js";export{a as loadHtmlReader,b as renderHtml};
