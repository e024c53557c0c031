// The features of the platform that TypeScript sources name, by their paths in @mdn/browser-compat-data.

import { join } from 'node:path';
import ts from '../../../xtask/src/typescript.mjs';
import { feature } from './compat.mjs';
import { root } from './files.mjs';

/** Every feature that the program's own files name: its path, and the places. */
export function apiUse(folder) {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile);
  const { options, fileNames } = ts.parseJsonConfigFileContent({ ...config, include: [folder] }, ts.sys, root);
  const program = ts.createProgram(fileNames, options);
  const checker = program.getTypeChecker();
  const found = new Map();

  const visit = (node) => {
    if (ts.isTypeNode(node) && !ts.isExpressionWithTypeArguments(node)) return;
    if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return;
    if (ts.isIdentifier(node)) {
      for (const one of featuresOf(node)) {
        const { fileName } = node.getSourceFile();
        const { line } = node.getSourceFile().getLineAndCharacterOfPosition(node.getStart());
        const place = `${fileName.slice(root.length + 1)}:${line + 1}`;
        found.set(one.path, { ...one, places: [...(found.get(one.path)?.places ?? []), place] });
      }
    }
    ts.forEachChild(node, visit);
  };

  /** The first that the data know: the declaring interface, or for mixins the type it is used on. */
  function featuresOf(node) {
    let symbol = checker.getSymbolAtLocation(node);
    if (symbol && symbol.flags & ts.SymbolFlags.Alias) symbol = checker.getAliasedSymbol(symbol);
    const declarations = (symbol?.declarations ?? []).filter((one) =>
      program.isSourceFileDefaultLibrary(one.getSourceFile()),
    );
    if (declarations.length === 0) return [];
    const name = node.text;
    const owners = declarations.flatMap(ownerOf);
    // Of the file: a function or an interface, or a variable in its list and its statement.
    const global = declarations.some(({ parent }) =>
      [parent, parent?.parent?.parent].some((one) => one && ts.isSourceFile(one)),
    );
    const { parent } = node;
    const on =
      ts.isPropertyAccessExpression(parent) && parent.name === node
        ? typesOf(checker.getTypeAtLocation(parent.expression))
        : [];
    const paths = [
      ...[...owners, ...on].flatMap((owner) => [
        ['api', owner, name],
        ['api', owner, `${name}_static`],
        ['javascript', 'builtins', owner, name],
        ['webassembly', 'api', owner, name],
      ]),
      ...(global
        ? [
            ['api', name],
            ['javascript', 'builtins', name],
            ['api', 'Window', name],
            ['webassembly', 'api', name],
          ]
        : []),
    ];
    const known = paths.map((path) => feature(...path)).find(Boolean);
    return known ? [known] : [];
  }

  /** The interface that declares a member: by itself, or as the static side of a constructor. */
  function ownerOf({ parent }) {
    if (!parent) return [];
    if (ts.isInterfaceDeclaration(parent)) return [parent.name.text.replace(/^Readonly(?=.)|Constructor$/g, '')];
    if (ts.isTypeLiteralNode(parent) && ts.isVariableDeclaration(parent.parent)) return [parent.parent.name.text];
    return [];
  }

  function typesOf(type) {
    const types = type.isUnionOrIntersection() ? type.types : [type];
    return types.flatMap((one) => {
      const apparent = checker.getApparentType(one);
      const bases = apparent.isClassOrInterface() ? checker.getBaseTypes(apparent) : [];
      return [apparent.symbol?.name ?? '', ...bases.flatMap(typesOf)];
    });
  }

  for (const file of program.getSourceFiles())
    if (!file.isDeclarationFile && file.fileName.startsWith(join(root, folder))) visit(file);
  return found;
}
