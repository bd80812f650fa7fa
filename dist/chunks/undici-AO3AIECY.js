import{createRequire}from'node:module';const require=createRequire(import.meta.url);
import{a}from"./chunk-GKKVZDNK.js";import"./chunk-AYNVGI6I.js";export default a();
