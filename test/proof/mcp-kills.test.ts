import { expect, it } from 'vitest';
import { expectToSurviveKills } from '../mcp/killed-while-posting.js';
import { scratchChannel } from '../scratch-channel.js';

const ROUNDS = 6;

it('an MCP server killed while it posts, at many moments of many channels: whole or not there, and the channel goes on', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const channel = scratchChannel();
    await expectToSurviveKills(
      channel,
      [0, 2, 5, 9, 14, 20].map((delay) => delay + round),
    );
    channel.remove();
  }
  expect.hasAssertions();
});
