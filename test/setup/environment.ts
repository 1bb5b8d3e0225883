// A developer may run these tests from inside a woken agent: none of its identity may leak into a scratch channel.
for (const name of Object.keys(process.env)) if (name.startsWith('DEBATE_')) delete process.env[name];
process.env.NO_COLOR = '1';
