import{createRequire}from'node:module';const require=createRequire(import.meta.url);
import{a as o}from"../chunks/chunk-FIQJQ4YO.js";import"../chunks/chunk-AYNVGI6I.js";await o(process.versions.node,()=>import("../chunks/main-D65D4ZLG.js"));
