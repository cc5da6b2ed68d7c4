// SPDX-License-Identifier: Apache-2.0
#include "tests/tree/prose.h"

#include "tests/tree/checks.h"

#include <QRegularExpression>
#include <QSet>

using namespace Qt::StringLiterals;

namespace binade::test {

const QMap<QString, QString>& readersOfText() {
  static const QMap<QString, QString> all{
      {u"app/docks/notes_dock.cpp"_s, u"notes that the user types"_s},
      {u"app/docks/saved_filters.cpp"_s, u"names and filters that the user types"_s},
      {u"app/docks/tensor_picker.cpp"_s, u"names of parameters"_s},
      {u"app/present/graph_shades.cpp"_s, u"a list of format names"_s},
      {u"app/present/history_comparison.cpp"_s, u"figures, which keep their units on one line"_s},
      {u"app/present/natural_sort.cpp"_s, u"names, whose numbers are compared"_s},
      {u"app/present/scale_text.cpp"_s, u"a scale that the user types"_s},
      {u"app/session/recent_files.cpp"_s, u"paths of files"_s},
      {u"app/session/assigned_run.cpp"_s, u"names of modules"_s},
      {u"app/session/engine_command.cpp"_s, u"the command line of an engine"_s},
      {u"app/session/export_finding.cpp"_s, u"a list of names, shortened"_s},
      {u"app/session/policy_list_job.cpp"_s, u"names of ops"_s},
      {u"app/session/target_text_job.cpp"_s, u"the lines of an exported text"_s},
      {u"app/session/ssh_advice.cpp"_s, u"messages of ssh"_s},
      {u"app/session/training_list.cpp"_s, u"lines of JSON"_s},
      {u"app/session/tries.cpp"_s, u"the name of a sample model"_s},
      {u"app/window/policy_import.cpp"_s, u"endings of files"_s},
      {u"app/window/command_line.cpp"_s, u"the options of a command line"_s},
      {u"app/window/libtorch_offer.cpp"_s, u"names of wheels"_s},
      {u"app/window/main.cpp"_s, u"messages of Qt"_s},
      {u"app/window/translations.cpp"_s, u"names of languages"_s},
      {u"engine/host/print/run_printer.cpp"_s, u"names of formats and modules"_s},
      {u"engine/words/decision_reasons.cpp"_s, u"names of modules"_s},
      {u"engine/words/site_text.cpp"_s, u"names of ops"_s},
      {u"app/form/data_mapping.cpp"_s, u"lists that the user types"_s},
      {u"app/form/data_section.cpp"_s, u"the name of a sample model"_s},
      {u"app/form/policy_section.cpp"_s, u"the pattern of a rule"_s},
      {u"app/form/run_form.cpp"_s, u"paths of fields"_s},
      {u"app/form/synthetic_inputs.cpp"_s, u"types of TorchScript"_s},
      {u"app/model/call_forms.cpp"_s, u"names of ops and modules"_s},
      {u"app/present/call_counts.cpp"_s, u"names of modules"_s},
      {u"app/present/graph_rows.cpp"_s, u"names of ops and modules"_s},
      {u"app/present/site_groups.cpp"_s, u"names of modules"_s},
      {u"app/present/site_query.cpp"_s, u"a filter that the user types"_s},
      {u"app/present/tensor_choices.cpp"_s, u"names of parameters"_s},
      {u"app/session/engine_client.cpp"_s, u"lines of the engine's log"_s},
      {u"app/session/far_folder.cpp"_s, u"names of files and filters of dialogs"_s},
      {u"app/session/file_kind.cpp"_s, u"the first bytes of a file"_s},
      {u"app/lessons/lesson_course.cpp"_s, u"names of resources"_s},
      {u"app/lessons/lesson_html.cpp"_s, u"HTML that Qt writes"_s},
      {u"app/window/actions.cpp"_s, u"labels of actions"_s},
      {u"app/window/far_file_dialog.cpp"_s, u"names of files"_s},
      {u"app/window/far_run_dialog.cpp"_s, u"names of files"_s},
      {u"app/window/file_saver.cpp"_s, u"names of files"_s},
      {u"app/window/main_window.cpp"_s, u"the name of a sample model"_s},
      {u"app/window/status_line.cpp"_s, u"the name of a device, shortened"_s},
  };
  return all;
}

QStringList checkReadsNoProse(const QString& path, const QString& text) {
  static const QRegularExpression read(
      uR"re(\bQRegularExpression\b|\bstd::regex\b|\.section\(|\.(mid|left|substr)\(|\.contains\((u'|u"|'|"|QStringLiteral|QLatin1)|\.(startsWith|endsWith|indexOf|lastIndexOf|split)\((u'|u"|'|QStringLiteral|QLatin1)|\.(starts_with|ends_with|find|rfind)\(["'])re"_s);
  const bool reads_none =
      path.startsWith(u"app/") || path.startsWith(u"engine/words/") || path.startsWith(u"engine/host/print/");
  if (!reads_none || !isSource(path) || readersOfText().contains(path)) return {};
  QStringList wrong;
  int number = 0;
  for (const QString& line : text.split(u'\n')) {
    ++number;
    const auto match = read.match(line);
    if (match.hasMatch()) {
      wrong << path + u':' + QString::number(number) + u": takes a text apart ("_s + match.captured() +
                   u"): use the facts that the wire holds"_s;
    }
  }
  return wrong;
}

QStringList checkWireHoldsFacts(const QString& path, const QString& text) {
  static const QRegularExpression member(uR"re(std::string (sentence|explanation)\b)re"_s);
  static const QSet<QString> kStillSay{u"engine/wire/profile.h"_s};  // why a device does not measure
  if (!path.startsWith(u"engine/wire/") || !path.endsWith(u".h") || kStillSay.contains(path)) return {};
  QStringList wrong;
  const auto match = member.match(text);
  if (match.hasMatch()) wrong << path + u": "_s + match.captured(1) + u" belongs into engine/words"_s;
  return wrong;
}

}  // namespace binade::test
