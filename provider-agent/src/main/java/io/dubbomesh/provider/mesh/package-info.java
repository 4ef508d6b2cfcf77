/**
 * Towards consumer agents: links, their requests and responses, the method ids that they define. May use {@code call}, {@code dubbo} (whether the
 * provider takes calls) and {@code discovery}.
 */
package io.dubbomesh.provider.mesh;
