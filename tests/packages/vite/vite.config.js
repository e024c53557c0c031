// The address of the model in the tests.
export default { publicDir: '../../output/packages/public' };
