// The part of ncc's JavaScript API that is used here; ncc brings no types.
declare module '@vercel/ncc' {
  interface Options {
    readonly cache: boolean
    readonly quiet: boolean
    readonly target: string
  }
  interface Module {
    readonly nameForCondition: string | null
    readonly modules?: readonly Module[]
  }
  interface Built {
    readonly code: string
    readonly assets: Readonly<Record<string, { readonly source: string | Uint8Array }>>
    readonly stats: { toJson(): { readonly modules: readonly Module[] } }
  }
  export default function ncc(entry: string, options: Options): Promise<Built>
}
