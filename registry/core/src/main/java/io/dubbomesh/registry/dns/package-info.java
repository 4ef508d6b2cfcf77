/** Dubbo providers, or provider agents, behind a name in DNS; the only package that uses Netty's resolver. */
package io.dubbomesh.registry.dns;
