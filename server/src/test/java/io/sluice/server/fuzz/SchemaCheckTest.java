package io.sluice.server.fuzz;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

/** The checker of answers, against answers that it must refuse. */
class SchemaCheckTest {
  private static final JsonMapper MAPPER = new JsonMapper();
  private static final String DOCUMENT = """
      {"components": {"schemas": {
        "State": {"type": "string", "enum": ["PENDING", "DEAD"]},
        "Thing": {"type": "object", "required": ["id"], "properties": {
          "id": {"type": "string", "format": "uuid"},
          "state": {"description": "how it is", "$ref": "#/components/schemas/State"}}}}}}
      """;
  private static final String ID = "\"0192f0c1-2b7e-7000-8000-000000000000\"";

  private final SchemaCheck check = new SchemaCheck(new ApiDocument(MAPPER.readTree(DOCUMENT)));

  private List<String> faults(String schema, String value) {
    return check.faults(MAPPER.readTree(schema), MAPPER.readTree(value));
  }

  private void fits(String schema, String... values) {
    for (String value : values) {
      assertThat(faults(schema, value)).as("%s for %s", value, schema).isEmpty();
    }
  }

  private void fitsNot(String schema, String... values) {
    for (String value : values) {
      assertThat(faults(schema, value)).as("%s for %s", value, schema).isNotEmpty();
    }
  }

  @Test
  void types_areChecked() {
    fits("{\"type\":\"integer\"}", "1", "-7", "2.0", "1e3");
    fitsNot("{\"type\":\"integer\"}", "1.5", "\"1\"", "null", "true", "[]", "{}");
    fits("{\"type\":[\"string\",\"null\"]}", "\"\"", "null");
    fitsNot("{\"type\":[\"string\",\"null\"]}", "0", "false");
    fitsNot("{\"type\":\"object\"}", "[]");
    fitsNot("{\"type\":\"array\"}", "{}");
    fitsNot("{\"type\":\"boolean\"}", "\"true\"");
    fits("{}", "null", "1", "{\"any\":[1]}");
  }

  @Test
  void bounds_areChecked() {
    fits("{\"minimum\":1,\"maximum\":3}", "1", "3");
    fitsNot("{\"minimum\":1,\"maximum\":3}", "0", "4", "3.5");
    fitsNot("{\"exclusiveMinimum\":0}", "0", "-1");
    fitsNot("{\"minLength\":1,\"maxLength\":2}", "\"\"", "\"abc\"");
    fitsNot("{\"minItems\":1,\"maxItems\":2}", "[]", "[1,2,3]");
    fitsNot("{\"minProperties\":1}", "{}");
    fitsNot("{\"pattern\":\"^[a-z]+$\"}", "\"A\"", "\"a1\"");
  }

  @Test
  void words_andFormats_areChecked() {
    fitsNot("{\"enum\":[\"a\",null]}", "\"b\"", "\"A\"");
    fitsNot("{\"const\":\"a\"}", "\"b\"");
    fits("{\"format\":\"uuid\"}", ID);
    fitsNot("{\"format\":\"uuid\"}", "\"0192f0c1\"");
    fits(
        "{\"format\":\"date-time\"}",
        "\"2026-01-31T12:00:00Z\"",
        "\"2026-01-31T12:00:00.5+01:00\"");
    fitsNot("{\"format\":\"date-time\"}", "\"2026-01-31\"", "\"2026-02-30T00:00:00Z\"");
    fitsNot("{\"format\":\"date\"}", "\"2026-02-30\"");
  }

  @Test
  void objects_haveWhatIsRequired_andNothingThatIsNotDocumented() {
    String thing = "{\"$ref\":\"#/components/schemas/Thing\"}";
    fits(thing, "{\"id\":" + ID + ",\"state\":\"DEAD\"}");
    assertThat(faults(thing, "{}")).containsExactly("$ has no id");
    assertThat(faults(thing, "{\"id\":" + ID + ",\"state\":\"GONE\"}"))
        .hasSize(1)
        .first()
        .asString()
        .startsWith("$.state is \"GONE\"");
    assertThat(faults(thing, "{\"id\":" + ID + ",\"more\":1}"))
        .containsExactly("$.more is not in the document");
    fits("{\"properties\":{\"a\":{}},\"additionalProperties\":true}", "{\"b\":1}");
    fitsNot("{\"additionalProperties\":{\"type\":\"string\"}}", "{\"b\":1}");
    fitsNot("{\"propertyNames\":{\"enum\":[\"a\"]}}", "{\"b\":1}");
    fitsNot("{\"patternProperties\":{\"^m\":{\"type\":\"string\"}}}", "{\"m1\":1}");
  }

  @Test
  void itemsAndAlternatives_areChecked_withTheirPath() {
    assertThat(faults("{\"items\":{\"type\":\"string\"}}", "[\"a\",2]"))
        .hasSize(1)
        .first()
        .asString()
        .startsWith("$[1] is 2");
    String either = "{\"anyOf\":[{\"type\":\"null\"},{\"type\":\"string\"}]}";
    fits(either, "null", "\"a\"");
    fitsNot(either, "1");
    String one = "{\"oneOf\":[{\"minimum\":1},{\"minimum\":5}]}";
    fits(one, "3");
    fitsNot(one, "0", "7");
  }

  @Test
  void whatTheCheckerDoesNotKnow_isAnError_ratherThanPassedOver() {
    assertThatThrownBy(() -> faults("{\"uniqueItems\":true}", "[]"))
        .hasMessageContaining("uniqueItems");
    assertThatThrownBy(() -> faults("{\"format\":\"email\"}", "\"a\""))
        .hasMessageContaining("email");
  }
}
