/**
 * The mesh protocol between the agents (docs/understand/protocol.md): headers, their checks, writers of frames, and the
 * parts of bodies.
 */
package io.dubbomesh.protocol.mesh;
