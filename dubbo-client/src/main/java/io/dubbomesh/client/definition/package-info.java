/**
 * The definitions of a provider's services: the class files and metadata reports that they are made of, their cache,
 * and what event loops share of them.
 */
package io.dubbomesh.client.definition;
