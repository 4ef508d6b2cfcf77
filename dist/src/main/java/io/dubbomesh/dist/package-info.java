/** The main class of the one jar that holds both agents. */
package io.dubbomesh.dist;
