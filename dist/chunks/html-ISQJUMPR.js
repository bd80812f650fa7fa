import{createRequire}from'node:module';const require=createRequire(import.meta.url);
import{a,b}from"./chunk-UPZK3NCX.js";import"./chunk-EOL3RYEF.js";import"./chunk-AYNVGI6I.js";export{a as loadHtmlReader,b as renderHtml};
