declare module 'gltf-validator' {
  export interface Message {
    readonly code: string;
    readonly message: string;
    readonly severity: number;
    readonly pointer?: string;
  }
  export interface ValidationReport {
    readonly validatorVersion: string;
    readonly issues: {
      readonly numErrors: number;
      readonly numWarnings: number;
      readonly numInfos: number;
      readonly messages: readonly Message[];
    };
  }
  export interface Options {
    readonly uri?: string;
    readonly maxIssues?: number;
    externalResourceFunction?(uri: string): Promise<Uint8Array>;
  }
  export function validateBytes(bytes: Uint8Array, options?: Options): Promise<ValidationReport>;
}
