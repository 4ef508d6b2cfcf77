/** The command-line tool for operators: speaks to the admin ports of agents and to the front of a consumer agent. */
package io.dubbomesh.meshctl;
