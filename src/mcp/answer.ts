import type { CallToolResult } from '@modelcontextprotocol/server';
import { asRefusal } from '../protocol/as-refusal.js';
import { visible } from '../protocol/core/visible.js';
import { remedyOf } from './remedy.js';

/**
 * A tool's result twice, as text and as data: several harnesses show the model the text alone, Claude Code the data alone,
 * so whatever the model must know to go on stands in both.
 */
export function answer(text: string, data: Record<string, unknown>): CallToolResult {
  return { content: [{ type: 'text', text }], structuredContent: data };
}

/** Runs a tool; whatever it throws becomes a result with reason and remedy, which the model reads, never a stack trace. */
export async function answering(run: () => CallToolResult | Promise<CallToolResult>): Promise<CallToolResult> {
  try {
    return await run();
  } catch (error) {
    return refused(error);
  }
}

/** A refusal as the model reads it. */
function refused(error: unknown): CallToolResult {
  const objection = asRefusal(error);
  const text = `Refused [${objection.code}]: ${objection.message}\nWhat to do: ${remedyOf(objection)}`;
  return { isError: true, content: [{ type: 'text', text: visible(text) }] };
}
