// The compiler's API, for scripts of other folders: npm installs this version only for the scripts of xtask.

export { default } from 'typescript';
