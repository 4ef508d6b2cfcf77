/** The tokens that providers demand of callers, from settings or from a file. */
package io.dubbomesh.client.token;
