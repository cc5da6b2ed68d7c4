// SPDX-License-Identifier: Apache-2.0
// The two mapping tables of the data section: from arrays of files to arguments of forward, and to targets.
#include "app/form/data_section.h"
#include "app/form/form_table.h"
#include "views/values/numbers.h"

#include <algorithm>

namespace binade::app {

using wire::RunConfig;

FormTable* DataSection::mapping(bool targets) {
  using Column = wire::ColumnConfig;
  using Columns = std::map<std::string, Column>;
  const auto all = [targets](RunConfig& config) -> Columns& {
    return targets ? config.data.targets : config.data.columns;
  };
  const auto name_at = [this, targets](const RunConfig& config, int row) -> std::string {
    if (!targets) return argumentNames()[static_cast<std::size_t>(row)];
    return std::next(config.data.targets.begin(), row)->first;
  };
  FormTableSpec spec;
  spec.title = targets ? tr("Targets") : tr("Arguments of forward");
  spec.empty = targets ? tr("The values that losses compare the output with. A loss that needs no target can omit it.")
                       : QString();

  FormColumn name{
      .key = {},
      .title = targets ? tr("Target") : tr("Argument"),
      .tip = targets ? tr("A name of your choice. Losses refer to the target by this name.")
                     : tr("The argument's name in the model's forward."),
      .width = 100,
      .show = [name_at](RunConfig& config, int row) { return QString::fromStdString(name_at(config, row)); }};
  if (targets) {
    name.take = [name_at](RunConfig& config, int row, const QString& text) {
      const std::string before = name_at(config, row);
      if (text.toStdString() == before) return QString();
      if (text.isEmpty() || config.data.targets.contains(text.toStdString()))
        return tr("A target needs a unique name.");
      auto node = config.data.targets.extract(before);
      node.key() = text.toStdString();
      config.data.targets.insert(std::move(node));
      return QString();
    };
  }
  // Makes a cell for one member of a column. An argument whose cells are all empty has no entry: its array has its own
  // name.
  const auto cell = [&](const char* key, const QString& title, const QString& tip, int width,
                        std::function<QString(const Column&)> show, std::function<bool(Column&, const QString&)> take) {
    FormColumn made{.key = QString::fromLatin1(key),
                    .title = title,
                    .tip = tip,
                    .width = width,
                    .show = [all, name_at, show](RunConfig& config, int row) {
                      const auto found = all(config).find(name_at(config, row));
                      return found == all(config).end() ? QString() : show(found->second);
                    }};
    made.take = [all, name_at, take](RunConfig& config, int row, const QString& text) {
      const std::string of = name_at(config, row);
      Column& column = all(config)[of];
      if (!take(column, text)) return tr("“%1” cannot be read.").arg(text);
      if (column == Column{} && &all(config) == &config.data.columns) all(config).erase(of);
      return QString();
    };
    return made;
  };
  const auto list = [](const std::vector<double>& values) {
    QStringList texts;
    for (const double each : values) texts << views::plainNumber(each);
    return texts.join(QStringLiteral(", "));
  };
  const auto numbers = [](std::vector<double>& values, const QString& text) {
    values.clear();
    for (const QString& each : text.split(u',', Qt::SkipEmptyParts)) {
      const auto number = parseNumber(each);
      if (!number) return false;
      values.push_back(*number);
    }
    return true;
  };
  FormColumn from = cell(
      "from", tr("From"), tr("An array or column of the files. Separate several with commas; they are concatenated."),
      130,
      [](const Column& column) {
        QStringList names;
        for (const std::string& each : column.from.values) names << QString::fromStdString(each);
        return names.join(QStringLiteral(", "));
      },
      [](Column& column, const QString& text) {
        column.from.values.clear();
        for (const QString& each : text.split(u',', Qt::SkipEmptyParts))
          column.from.values.push_back(each.trimmed().toStdString());
        return true;
      });
  from.choices = [this](const RunConfig&) { return arrayNames(); };
  from.free = true;
  FormColumn dtype = cell(
      "dtype", tr("Dtype"), tr("Empty: the dtype of the file, but float32 for float64, and int64 for integer targets."),
      80, [](const Column& column) { return QString::fromStdString(column.dtype); },
      [](Column& column, const QString& text) {
        column.dtype = text.toStdString();
        return true;
      });
  dtype.choices = [](const RunConfig&) {
    return QStringLiteral(" float32 float64 float16 bfloat16 int64 int32 int16 int8 uint8 bool").split(u' ');
  };
  spec.columns = {
      name,
      from,
      dtype,
      cell(
          "mean", tr("Mean"), tr("Subtracted from the values. One number for all, or one for each channel."), 70,
          [list](const Column& column) { return list(column.mean.values); },
          [numbers](Column& column, const QString& text) { return numbers(column.mean.values, text); }),
      cell(
          "deviation", tr("Std. deviation"),
          tr("Divides the values after the mean is subtracted. One number for all, or one for each channel."), 120,
          [list](const Column& column) { return list(column.deviation.values); },
          [numbers](Column& column, const QString& text) { return numbers(column.deviation.values, text); }),
      cell(
          "shape", tr("Shape"),
          tr("Shape of one example: 1, 28, 28. Write [] for a single number. Empty: the shape in the file."), 80,
          [](const Column& column) {
            if (!column.shape) return QString();
            if (column.shape->empty()) return QStringLiteral("[]");
            QStringList sizes;
            for (const std::int64_t size : *column.shape) sizes << QString::number(size);
            return sizes.join(QStringLiteral(", "));
          },
          [numbers](Column& column, const QString& text) {
            std::vector<double> sizes;
            const bool one_number = text.trimmed() == QStringLiteral("[]");
            if (!one_number && !numbers(sizes, text)) return false;
            column.shape.reset();
            if (one_number || !sizes.empty()) column.shape.emplace(sizes.begin(), sizes.end());
            return true;
          })};
  spec.rows = [this, targets](const RunConfig& config) {
    return static_cast<int>(targets ? config.data.targets.size() : argumentNames().size());
  };
  spec.rowPath = [targets, name_at](const RunConfig& config, int row) {
    return (targets ? QStringLiteral("data.targets.") : QStringLiteral("data.columns.")) +
           QString::fromStdString(name_at(config, row));
  };
  if (targets) {
    spec.addText = tr("Add a target");
    // An array of the files that no argument and no target has yet.
    spec.add = [this](RunConfig& config) {
      const std::vector<std::string> arguments = argumentNames();
      for (const QString& array : arrayNames()) {
        const std::string name = array.toStdString();
        const bool is_argument = std::find(arguments.begin(), arguments.end(), name) != arguments.end();
        if (name.empty() || is_argument || config.data.targets.contains(name)) continue;
        config.data.targets[name].from.values = {name};
        return;
      }
      std::string fresh = "label";
      for (int number = 2; config.data.targets.contains(fresh); ++number) fresh = "label" + std::to_string(number);
      config.data.targets[fresh].from.values = {fresh};
    };
    spec.remove = [](RunConfig& config, int row) {
      config.data.targets.erase(std::next(config.data.targets.begin(), row));
    };
  }
  return new FormTable(document_, std::move(spec));
}

}  // namespace binade::app
