package io.sluice.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sluice.AttemptFailure;
import io.sluice.Defaults;
import io.sluice.ErrorClass;
import io.sluice.JobState;
import io.sluice.Result;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FillingTest {
  private final Desk desk = new Desk();
  private final List<Result> results = new ArrayList<>();

  @AfterEach
  void close() {
    desk.close();
  }

  private void left(String name, @Nullable String json) {
    results.add(new Result(name, Desk.ID, JobState.COMPLETED, json));
  }

  private HttpCall filled(HttpCall call) throws AttemptFailure {
    return Filling.of(call, results);
  }

  private String body(String json) throws AttemptFailure {
    return filled(HttpCall.to("https://example.com/").withBody(JsonValue.of(json)))
        .body()
        .json();
  }

  private String header(String value) throws AttemptFailure {
    return filled(HttpCall.to("https://example.com/").withHeaders(Map.of("x-a", value)))
        .headers()
        .get("x-a");
  }

  private AttemptFailure refused(HttpCall call) {
    return catchThrowableOfType(AttemptFailure.class, () -> filled(call));
  }

  @Test
  void valueThatIsNothingElse_keepsItsType() throws Exception {
    left(
        "a",
        "{\"n\":1.50,\"big\":12345678901234567890,\"o\":{\"x\":[1,true]},\"s\":\"t\",\"z\":null}");

    assertThat(body(
            "{\"n\":\"{{ results.a.n }}\",\"o\":\"{{results.a.o}}\",\"s\":\"{{ results.a.s}}\"}"))
        .isEqualTo("{\"n\":1.50,\"o\":{\"x\":[1,true]},\"s\":\"t\"}");
    assertThat(body("[\"{{ results.a.z }}\",\"{{ results.a.o.x.1 }}\",\"{{ results.a.big }}\"]"))
        .isEqualTo("[null,true,12345678901234567890]");
    assertThat(body("\"{{ results.a.o }}\"")).isEqualTo("{\"x\":[1,true]}");
  }

  @Test
  void insideAText_stringsStandBare_theRestAsJson_andNothingAsNothing() throws Exception {
    left("a", "{\"n\":7,\"o\":{\"x\":1},\"s\":\"it \\\"is\\\"\",\"z\":null}");

    assertThat(
            body(
                "{\"t\":\"n={{ results.a.n }} o={{results.a.o}} s={{ results.a.s }} z={{ results.a.z }}.\"}"))
        .isEqualTo("{\"t\":\"n=7 o={\\\"x\\\":1} s=it \\\"is\\\" z=.\"}");
    assertThat(body("\"n={{ results.a.n }}\"")).isEqualTo("\"n=7\"");
    assertThat(header("{{ results.a.n }}-{{ results.a.s }}")).isEqualTo("7-it \"is\"");
  }

  @Test
  void whatIsNotThere_isNull_andInATextNothing() throws Exception {
    left("a", "{\"list\":[1]}");
    left("none", null);

    assertThat(body("[\"{{ results.b }}\",\"{{ results.a.x.y }}\",\"{{ results.a.list.3 }}\","
            + "\"{{ results.none }}\",\"<{{ results.b }}{{ results.none.x }}>\"]"))
        .isEqualTo("[null,null,null,null,\"<>\"]");
    assertThat(header("<{{ results.b.c }}>")).isEqualTo("<>");
  }

  @Test
  void bodyOfAnAnswer_isLookedInto_whereItIsJson() throws Exception {
    left(
        "call",
        "{\"status\":200,\"headers\":{\"x-id\":\"h\"},\"body\":\"{\\\"id\\\":42,\\\"in\\\":[{\\\"k\\\":\\\"v\\\"}]}\"}");
    left("plain", "{\"body\":\"not json\"}");

    assertThat(
            body(
                "{\"id\":\"{{ results.call.body.id }}\",\"k\":\"{{ results.call.body.in.0.k }}\","
                    + "\"h\":\"{{ results.call.headers.x-id }}\",\"p\":\"{{ results.plain.body.id }}\"}"))
        .isEqualTo("{\"id\":42,\"k\":\"v\",\"h\":\"h\",\"p\":null}");
    assertThat(body("{\"b\":\"{{ results.call.body }}\"}"))
        .isEqualTo("{\"b\":\"{\\\"id\\\":42,\\\"in\\\":[{\\\"k\\\":\\\"v\\\"}]}\"}");
  }

  @Test
  void longestName_isMeant_whereNamesHaveDots() throws Exception {
    left("a", "{\"b\":1}");
    left("a.b", "{\"c\":2}");
    String id = "01920000-0000-7000-8000-000000000001";
    left(id, "3");

    assertThat(body(
            "[\"{{ results.a.b }}\",\"{{ results.a.b.c }}\",\"{{ results.%s }}\"]".formatted(id)))
        .isEqualTo("[{\"c\":2},2,3]");
  }

  @Test
  void batch_isKnownByItsNameWithBlanks_andByItsId() throws Exception {
    left("nightly import", "{\"total\":3}");

    assertThat(body("[\"{{ results.nightly import.total }}\",\"{{results.%s.total}}\"]"
            .formatted(results.getFirst().id())))
        .isEqualTo("[3,3]");
  }

  @Test
  void whatElseStandsInBraces_andNamesOfFields_areLeftAlone() throws Exception {
    left("a", "1");
    String json =
        "{\"{{ results.a }}\":1.10,\"b\":\"{{ payload.a }} {{results}} {{ results. }} {results.a}\"}";

    assertThat(body(json)).isEqualTo(json);
    assertThat(header("{{ secrets.a }}")).isEqualTo("{{ secrets.a }}");
  }

  @Test
  void whatIsFilledIn_isNotFilledInAgain() throws Exception {
    left("a", "\"{{ results.b }}\"");
    left("b", "\"secret\"");

    assertThat(body("[\"{{ results.a }}\",\"<{{ results.a }}>\"]"))
        .isEqualTo("[\"{{ results.b }}\",\"<{{ results.b }}>\"]");
  }

  @Test
  void placeAndCallbacks_areNeverFilledIn() throws Exception {
    left("a", "\"evil.example.com\"");
    String url = "https://example.com/{{ results.a }}";
    HttpCall call = HttpCall.to(url).withCallbacks(url, url).withBytes(new byte[] {1});

    assertThat(filled(call)).isEqualTo(call);
  }

  @Test
  void bodyThatGrowsTooLarge_isRefused_beforeItIsWhole() {
    left("a", "\"" + "x".repeat(500_000) + "\"");
    HttpCall call = HttpCall.to("https://example.com/");

    for (String body : List.of(
        "{\"t\":\"" + "{{ results.a }}".repeat(40_000) + "\"}",
        "[" + "\"{{ results.a }}\",".repeat(40_000) + "1]",
        "\"" + "{{ results.a }}".repeat(3) + "\"")) {
      AttemptFailure failure = refused(call.withBody(JsonValue.of(body)));
      assertThat(failure.errorClass()).isEqualTo(ErrorClass.VALIDATION);
      assertThat(failure.code()).isEqualTo("RESULTS_TOO_LARGE");
      assertThat(failure)
          .hasMessageContaining("the body has more than " + Defaults.MAX_PAYLOAD_BYTES + " bytes");
    }
  }

  @Test
  void bodyOfExactlyTheLargestSize_isSent() throws Exception {
    left("a", "\"" + "ä".repeat(Defaults.MAX_PAYLOAD_BYTES / 2) + "\"");
    HttpCall call = HttpCall.to("https://example.com/");

    assertThat(filled(call.withBody(JsonValue.ofText("<{{ results.a }}".substring(1))))
            .bytes())
        .hasSize(Defaults.MAX_PAYLOAD_BYTES);
    assertThat(refused(call.withBody(JsonValue.ofText("<{{ results.a }}"))).code())
        .isEqualTo("RESULTS_TOO_LARGE");
  }

  @Test
  void headerThatGrowsTooLarge_orGetsALineBreak_isRefused_withoutItsValue() {
    left("long", "\"" + "x".repeat(HeaderRules.MOST_CHARACTERS + 1) + "\"");
    left("broken", "\"secret\\r\\nx-evil: 1\"");
    left("far", "\"snow ☃\"");
    HttpCall call = HttpCall.to("https://example.com/");

    AttemptFailure large = refused(call.withHeaders(Map.of("x-a", "{{ results.long }}")));
    assertThat(large.code()).isEqualTo("RESULTS_TOO_LARGE");
    assertThat(large).hasMessageContaining("'x-a'");
    left("half", "\"" + "x".repeat(HeaderRules.MOST_CHARACTERS / 2) + "\"");
    AttemptFailure together =
        refused(call.withHeaders(Map.of("x-a", "{{ results.half }}", "x-b", "{{ results.half }}")));
    assertThat(together.code()).isEqualTo("RESULTS_TOO_LARGE");
    assertThat(together)
        .hasMessageContaining("the headers have more than 32768 characters together");
    for (String name : List.of("broken", "far")) {
      AttemptFailure unfit = refused(call.withHeaders(Map.of("x-a", "{{ results." + name + " }}")));
      assertThat(unfit.code()).isEqualTo("RESULTS_UNFIT");
      assertThat(unfit.errorClass()).isEqualTo(ErrorClass.VALIDATION);
      assertThat(unfit).hasMessageContaining("'x-a'").hasMessageContaining("line breaks");
      assertThat(unfit.getMessage()).doesNotContain("secret");
    }
  }

  @Test
  void hostileTexts_takeNoTime() throws Exception {
    left("a", "1");
    String open = "{{ results." + ".".repeat(400_000);

    assertThat(body("\"" + open + "\"")).isEqualTo("\"" + open + "\"");
    assertThat(body("\"" + "{{ ".repeat(300_000) + "\"")).hasSize(900_002);
    assertThat(body("\"{{" + " ".repeat(900_000) + "\"")).hasSize(900_004);
  }

  @Test
  void delivery_sendsWhatWasFilledIn() throws Exception {
    Receiver receiver = desk.closing(Receiver.answering(request -> Receiver.ok("ok")));
    desk.results.add(
        new Result("a", Desk.ID, JobState.COMPLETED, "{\"body\":\"{\\\"id\\\":42}\"}"));

    desk.done(HttpCall.to(receiver.url("/{{results.a}}".replace("{", "%7B").replace("}", "%7D")))
        .withHeaders(Map.of("x-id", "{{ results.a.body.id }}"))
        .withBody(JsonValue.of("{\"charge\":\"{{ results.a.body.id }}\"}")));

    assertThat(receiver.only().body()).isEqualTo("{\"charge\":42}");
    assertThat(receiver.only().header("x-id")).isEqualTo("42");
    assertThat(receiver.only().header("content-length")).isEqualTo("13");
  }

  @Test
  void jobWithoutPredecessors_isSentAsItIs() throws Exception {
    Receiver receiver = desk.closing(Receiver.answering(request -> Receiver.ok("ok")));

    desk.done(HttpCall.to(receiver.url("/")).withBody(JsonValue.of("[\"{{ results.a }}\"]")));

    assertThat(receiver.only().body()).isEqualTo("[\"{{ results.a }}\"]");
  }
}
