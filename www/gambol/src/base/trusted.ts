// Trusted Types: a page with `require-trusted-types-for 'script'` accepts addresses and texts of scripts from policies only. The
// policy of the package is named `gambol`.

interface Rules {
  createScriptURL(url: string): string;
  createScript(text: string): string;
}

interface PolicyFactory {
  createPolicy(name: string, rules: Rules): Rules;
}

const RULES: Rules = {
  createScriptURL: (url) => url,
  // Structured data is all that the package puts into a script element. JSON is no program.
  createScript: (text) => {
    JSON.parse(text);
    return text;
  },
};

/** The policy in a list, once it was made. */
let made: readonly [Rules] | undefined;

function policy(): Rules {
  if (made) return made[0];
  const { trustedTypes: factory } = globalThis as { trustedTypes?: PolicyFactory };
  let own = RULES;
  try {
    own = factory?.createPolicy('gambol', RULES) ?? RULES;
  } catch {
    // The page does not allow the policy. If it requires one, the browser refuses the script, and its message says so.
  }
  made = [own];
  return own;
}

/** The address of a script, as the page accepts it. */
export function trustedScriptUrl(url: string | URL): string {
  return policy().createScriptURL(String(url));
}

/** The text of a script element of JSON, as the page accepts it. */
export function trustedJson(text: string): string {
  return policy().createScript(text);
}
