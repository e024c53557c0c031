// Where the tests put the model.
export default { publicDir: '../../output/packages/public' };
