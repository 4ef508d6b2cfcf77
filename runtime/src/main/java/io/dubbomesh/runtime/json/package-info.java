/** JSON for documents of operators: settings, states, requests. Not for values of calls, which protocol writes. */
package io.dubbomesh.runtime.json;
