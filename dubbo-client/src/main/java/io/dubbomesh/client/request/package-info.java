/**
 * Requests in, responses out: serves the body of a REQUEST of the mesh protocol and writes the RESPONSE frame, whether
 * a link between two agents lies in front of it or the other half of the same agent.
 */
package io.dubbomesh.client.request;
