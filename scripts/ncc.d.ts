// The part of ncc's JavaScript API that is used here; ncc brings no types.
declare module '@vercel/ncc' {
  interface Options {
    readonly cache: boolean
    readonly quiet: boolean
    readonly target: string
  }
  interface Built {
    readonly code: string
    readonly assets: Readonly<Record<string, { readonly source: string | Uint8Array }>>
    readonly stats: { toJson(): unknown }
  }
  export default function ncc(entry: string, options: Options): Promise<Built>
}
