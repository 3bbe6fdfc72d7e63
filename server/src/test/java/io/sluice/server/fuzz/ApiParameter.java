package io.sluice.server.fuzz;

import tools.jackson.databind.JsonNode;

/** A parameter of an operation, in its path, query or headers. */
record ApiParameter(String name, String in, JsonNode schema) {}
