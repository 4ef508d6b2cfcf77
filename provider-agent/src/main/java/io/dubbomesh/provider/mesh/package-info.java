/** Towards consumer agents: links, their requests and responses, the method ids that they define. */
package io.dubbomesh.provider.mesh;
