// Reads RunEvents, one a line, with the official Java client, and writes what it understood.

import com.fasterxml.jackson.databind.ObjectMapper;
import io.openlineage.client.OpenLineage;
import io.openlineage.client.OpenLineageClientUtils;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

public class ParseEvents {
  public static void main(String[] arguments) throws Exception {
    ObjectMapper mapper = new ObjectMapper();
    for (String line : Files.readAllLines(Path.of(arguments[0]))) {
      Map<String, Object> understood = new LinkedHashMap<>();
      try {
        OpenLineage.RunEvent event = OpenLineageClientUtils.runEventFromJson(line);
        understood.put("runId", event.getRun().getRunId().toString());
        understood.put("job", event.getJob().getName());
        understood.put("inputs", event.getInputs().stream().map(each -> each.getName()).toList());
        understood.put("outputs", event.getOutputs().stream().map(each -> each.getName()).toList());
        understood.put("again", mapper.readTree(OpenLineageClientUtils.toJson(event)));
      } catch (Exception error) {
        understood.put("error", String.valueOf(error.getMessage()));
      }
      System.out.println(mapper.writeValueAsString(understood));
    }
  }
}
