// SPDX-License-Identifier: Apache-2.0
#include "app/form/form_table.h"
#include "app/form/sections.h"
#include "app/model/translate.h"
#include "views/theme.h"
#include "views/values/numbers.h"

#include <QPlainTextEdit>
#include <QSignalBlocker>
#include <QVBoxLayout>

namespace binade::app {

namespace {

const QStringList& kinds() {
  static const QStringList all{
      QStringLiteral("cross_entropy"), QStringLiteral("nll"),    QStringLiteral("bce_with_logits"),
      QStringLiteral("mse"),           QStringLiteral("l1"),     QStringLiteral("smooth_l1"),
      QStringLiteral("huber"),         QStringLiteral("kl_div"), QStringLiteral("cosine_embedding"),
      QStringLiteral("text")};
  return all;
}

constexpr auto kOwnLoss =
    "def loss(output: Tensor, target: Tensor) -> Tensor:\n    return (output - target).abs().mean()";

// Makes a column for one text member of a loss.
FormColumn column(const char* key, const QString& title, const QString& tip, int width,
                  std::string wire::LossConfig::*member) {
  FormColumn made;
  made.key = QString::fromLatin1(key);
  made.title = title;
  made.tip = tip;
  made.width = width;
  made.show = [member](wire::RunConfig& config, int row) {
    const auto losses = wire::losses_of(config);
    return QString::fromStdString(losses[static_cast<std::size_t>(row)].*member);
  };
  made.take = [member](wire::RunConfig& config, int row, const QString& text) {
    auto losses = wire::losses_of(config);
    wire::LossConfig& loss = losses[static_cast<std::size_t>(row)];
    loss.*member = text.toStdString();
    if (loss.kind == "text" && loss.text.empty()) loss.text = kOwnLoss;
    if (loss.kind != "text") loss.text.clear();
    setLosses(config, std::move(losses));
    return QString();
  };
  return made;
}

FormColumn weightColumn() {
  FormColumn made;
  made.key = QStringLiteral("weight");
  made.title = tr("Weight");
  made.tip = tr("Each loss is multiplied by its weight before the losses are added.");
  made.width = 72;
  made.show = [](wire::RunConfig& config, int row) {
    return views::plainNumber(wire::losses_of(config)[static_cast<std::size_t>(row)].weight);
  };
  made.take = [](wire::RunConfig& config, int row, const QString& text) {
    const auto number = parseNumber(text);
    if (!number) return tr("“%1” is not a number.").arg(text);
    auto losses = wire::losses_of(config);
    losses[static_cast<std::size_t>(row)].weight = *number;
    setLosses(config, std::move(losses));
    return QString();
  };
  return made;
}

FormTableSpec spec() {
  FormTableSpec made;
  made.title = tr("Losses");
  FormColumn kind = column("kind", tr("Loss"), tr("A loss of LibTorch, or text for your own loss in TorchScript."), 140,
                           &wire::LossConfig::kind);
  kind.choices = [](const wire::RunConfig&) { return kinds(); };
  FormColumn target = column("target", tr("Target"), tr("Name of a target of the data. Empty: the first."), 90,
                             &wire::LossConfig::target);
  target.free = true;
  target.choices = [](const wire::RunConfig& config) {
    QStringList names{QString()};
    for (const auto& [name, each] : config.data.targets) names << QString::fromStdString(name);
    return names;
  };
  FormColumn scaler = column("scaler", tr("Scaler"), tr("The scaler that scales this loss. Empty: the first."), 90,
                             &wire::LossConfig::scaler);
  scaler.free = true;
  scaler.choices = [](const wire::RunConfig& config) {
    QStringList names{QString()};
    for (const auto& each : config.scalers) names << QString::fromStdString(each.id);
    return names;
  };
  made.columns = {
      kind,
      column(
          "output", tr("Output"),
          tr("The output of forward that the loss takes: empty, [0], logits, out.aux. Separate several with commas."),
          110, &wire::LossConfig::output),
      target, weightColumn(), scaler};
  made.rows = [](const wire::RunConfig& config) { return static_cast<int>(wire::losses_of(config).size()); };
  made.rowPath = [](const wire::RunConfig& config, int row) {
    return config.losses.empty() ? QStringLiteral("loss") : QStringLiteral("losses[%1]").arg(row);
  };
  made.least = 1;
  made.addText = tr("Add a loss");
  made.add = [](wire::RunConfig& config) {
    auto losses = wire::losses_of(config);
    losses.push_back({});
    setLosses(config, std::move(losses));
  };
  made.remove = [](wire::RunConfig& config, int row) {
    auto losses = wire::losses_of(config);
    if (losses.size() > 1) losses.erase(losses.begin() + row);
    setLosses(config, std::move(losses));
  };
  return made;
}

// Edits the TorchScript text of the current row's loss; hidden for losses without text.
class LossText : public QWidget {
 public:
  LossText(RunDocument* document, FormTable* table) : document_(document), table_(table), edit_(new QPlainTextEdit) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    edit_->setFont(views::figureFont());
    edit_->setFrameShape(QFrame::StyledPanel);
    edit_->setTabChangesFocus(true);
    edit_->setFixedHeight(76);
    edit_->setAccessibleName(tr("TorchScript of the selected loss"));
    edit_->setToolTip(
        tr("A function of the named outputs and the target that returns one number. Policies can name its op calls."));
    layout->addWidget(edit_);
    connect(edit_, &QPlainTextEdit::textChanged, this, [this] { take(); });
    connect(document_, &RunDocument::changed, this, [this] { show(); });
    connect(table_, &FormTable::currentRowChanged, this, [this] { show(); });
    show();
  }

 private:
  void take() {
    wire::RunConfig after = document_->config();
    auto losses = wire::losses_of(after);
    const int row = table_->currentRow();
    if (row < 0 || static_cast<std::size_t>(row) >= losses.size()) return;
    losses[static_cast<std::size_t>(row)].text = edit_->toPlainText().toStdString();
    setLosses(after, std::move(losses));
    document_->edit(tr("Change of the loss text"), after, QStringLiteral("losses[%1].text").arg(row));
  }
  void show() {
    const auto losses = wire::losses_of(document_->config());
    const int row = table_->currentRow();
    const bool has = row >= 0 && static_cast<std::size_t>(row) < losses.size() &&
                     losses[static_cast<std::size_t>(row)].kind == "text";
    setVisible(has);
    if (!has) return;
    const QString text = QString::fromStdString(losses[static_cast<std::size_t>(row)].text);
    const QSignalBlocker quiet(edit_);
    if (edit_->toPlainText() != text) edit_->setPlainText(text);
  }

  RunDocument* document_;
  FormTable* table_;
  QPlainTextEdit* edit_;
};

}  // namespace

void setLosses(wire::RunConfig& config, std::vector<wire::LossConfig> losses) {
  const wire::LossConfig plain;
  config.loss = wire::RunConfig().loss;
  config.output.clear();
  config.losses.clear();
  if (losses.size() == 1) {
    wire::LossConfig rest = losses.front();
    rest.kind = plain.kind;
    rest.output.clear();
    if (rest == plain && losses.front().kind != "text") {
      config.loss = losses.front().kind;
      config.output = losses.front().output;
      return;
    }
  }
  config.losses = std::move(losses);
}

FormSection* makeLossSection(RunDocument* document) {
  auto* section = new FormSection(document, tr("Loss"));
  auto* table = new FormTable(document, spec());
  section->table(table);
  section->widget(new LossText(document, table), {}, [](const wire::RunConfig& config) {
    for (const wire::LossConfig& loss : config.losses) {
      if (loss.kind == "text") return true;
    }
    return false;
  });
  return section;
}

}  // namespace binade::app
