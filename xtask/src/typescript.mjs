// The compiler's API, for scripts of other folders: npm puts this version beside the scripts of xtask only.

export { default } from 'typescript';
