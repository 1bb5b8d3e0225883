/**
 * Sends a JSON document to a webhook, with POST. Answers with the reason unless the server took it (status 2xx); a redirect is a failure, since
 * following one would turn it into a read. No reason holds the address, which may hold a secret.
 */
export async function sendWebhook(url: string, json: string, seconds: number): Promise<string | undefined> {
  if (!URL.canParse(url)) return 'the address is no URL';
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: json,
      redirect: 'manual',
      signal: AbortSignal.timeout(seconds * 1000),
    });
    await response.body?.cancel();
    return response.ok ? undefined : `the server answered ${response.status}`;
  } catch (error) {
    if ((error as Error).name === 'TimeoutError') return `no answer within ${seconds} seconds`;
    const cause = (error as { readonly cause?: { readonly code?: string } }).cause;
    return `the server could not be reached${cause?.code === undefined ? '' : ` (${cause.code})`}`;
  }
}
