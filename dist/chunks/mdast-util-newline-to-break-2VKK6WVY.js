import{createRequire}from'node:module';const require=createRequire(import.meta.url);
import{a as e}from"./chunk-OBISSKLO.js";import"./chunk-ZORYRNSV.js";import"./chunk-AYNVGI6I.js";function n(r){e(r,[/\r?\n|\r/g,o])}function o(){return{type:"break"}}export{n as newlineToBreak};
