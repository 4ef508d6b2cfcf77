/** The history of an agent's calls in the last minutes, for operators who look only afterwards. */
package io.dubbomesh.runtime.history;
