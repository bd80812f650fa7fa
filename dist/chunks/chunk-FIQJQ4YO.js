import{createRequire}from'node:module';const require=createRequire(import.meta.url);
import{appendFileSync as s}from"node:fs";var r=20;async function a(e,n){if(Number.parseInt(e,10)>=r){await n();return}let{env:t}=process,o=t.GITHUB_OUTPUT;o&&s(o,`outcome=failed
reason=node-version
`),process.stdout.write(`::error title=Node.js is too old::This action needs Node.js 24, and was started with ${e}. Nothing was sent. Update the runner to 2.327.1 or newer.
`),process.exitCode=1}export{a};
