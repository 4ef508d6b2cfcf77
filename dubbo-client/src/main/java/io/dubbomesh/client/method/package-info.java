/** The calls of a method: whether its service is served, its prepared request, and the description of its service. */
package io.dubbomesh.client.method;
