// SPDX-License-Identifier: Apache-2.0
#include "app/form/data_section.h"

#include "app/form/form_table.h"
#include "app/form/synthetic_inputs.h"
#include "views/style/looks.h"
#include "views/table/delegates.h"
#include "views/values/numbers.h"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QStandardItemModel>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace binade::app {

namespace {

using wire::RunConfig;

FormSection::When kindIs(const char* kind) {
  return [kind](const RunConfig& config) { return config.data.kind == kind; };
}

QString shapeText(const std::vector<std::int64_t>& shape) {
  QStringList sizes;
  for (const std::int64_t size : shape) sizes << QString::number(size);
  return u'[' + sizes.join(QStringLiteral(", ")) + u']';
}

FormTableSpec filesSpec() {
  FormTableSpec spec;
  spec.title = DataSection::tr("Files");
  spec.empty = DataSection::tr(
      "NumPy (.npy, .npz), CSV, safetensors and torch.save files. Row n of each file belongs to example n.");
  FormColumn file;
  file.title = DataSection::tr("File");
  file.tip = DataSection::tr("Path of the file. Select its arrays below.");
  file.width = 400;
  file.show = [](RunConfig& config, int row) {
    return QString::fromStdString(config.data.files[static_cast<std::size_t>(row)]);
  };
  file.take = [](RunConfig& config, int row, const QString& text) {
    config.data.files[static_cast<std::size_t>(row)] = text.toStdString();
    return QString();
  };
  spec.columns = {file};
  spec.rows = [](const RunConfig& config) { return static_cast<int>(config.data.files.size()); };
  spec.rowPath = [](const RunConfig&, int) { return QStringLiteral("data.files"); };
  spec.addText = DataSection::tr("Add files…");
  spec.files =
      FileQuestion{FileQuestion::Kind::kFiles,
                   DataSection::tr("Files with data"),
                   {},
                   DataSection::tr("Data (*.npy *.npz *.csv *.safetensors *.pt *.pth *.bin *.ckpt);;All files (*)")};
  spec.addFile = [](RunConfig& config, const QString& file) { config.data.files.push_back(file.toStdString()); };
  spec.remove = [](RunConfig& config, int row) { config.data.files.erase(config.data.files.begin() + row); };
  return spec;
}

}  // namespace

DataSection::DataSection(RunDocument* document)
    : FormSection(document, tr("Data")),
      document_(document),
      look_(new QPushButton(tr("Preview a batch"))),
      note_(new QLabel),
      table_(new QTableView),
      columns_(new QStandardItemModel(0, 6, this)) {
  addKinds();
  addFiles();
  addPreview();
  connect(document_, &RunDocument::changed, this, [this] {
    const auto& files = document_->config().data.files;
    if (files == asked_files_) return;
    asked_files_ = files;
    Q_EMIT arraysWanted(files);
  });
}

void DataSection::setModel(const wire::ModelInfo& model) {
  model_ = model;
  columns_->setRowCount(0);
  table_->hide();
  note_->clear();
  refresh();
}

void DataSection::setArrays(const wire::DataArrays& arrays) {
  arrays_ = arrays;
}

void DataSection::addKinds() {
  choice({QStringLiteral("data.kind"), tr("Batches from"),
          tr("Value ranges on random batches are not those of your data.")},
         [](RunConfig& c) -> std::string& { return c.data.kind; },
         {{QStringLiteral("synthetic"), tr("random batches")},
          {QStringLiteral("idx"), tr("IDX files (MNIST, Fashion-MNIST)")},
          {QStringLiteral("files"), tr("arrays and tables")}});
  path(
      {QStringLiteral("data.folder"), tr("Folder"), tr("A folder with the four IDX files, plain or gzip-compressed.")},
      [](RunConfig& c) -> std::string& { return c.data.folder; }, {}, kindIs("idx"));
  number(
      {QStringLiteral("data.mean"), tr("Mean"),
       tr("Pixels from 0 to 1 are normalised: (pixel − mean) / standard deviation.")},
      [](RunConfig& c) -> double& { return c.data.mean; }, {}, kindIs("idx"));
  number(
      {QStringLiteral("data.deviation"), tr("Standard deviation"),
       tr("Pixels from 0 to 1 are normalised: (pixel − mean) / standard deviation.")},
      [](RunConfig& c) -> double& { return c.data.deviation; }, {}, kindIs("idx"));

  FormTableSpec inputs;
  inputs.title = tr("Inputs of forward");
  inputs.empty = tr("Forward has no argument that needs generated data.");
  FormColumn argument{.key = {},
                      .title = tr("Argument"),
                      .tip = tr("Name and type of the argument in the model's forward."),
                      .width = 150,
                      .show = [this](RunConfig&, int row) {
                        const auto names = argumentNames();
                        const auto at = static_cast<std::size_t>(row);
                        return at < names.size() ? QString::fromStdString(names[at]) : tr("not an argument of forward");
                      }};
  FormColumn drawn{.key = {},
                   .title = tr("Generated as"),
                   .tip = tr("float32[64,3,32,32] (normally distributed), float32[64,1]<1 (from 0 to 1), "
                             "int64[64,16]<1000 (values below 1000), true, 0.5, list(…), dict(\"x\": …). The first "
                             "dimension is the batch."),
                   .width = 240,
                   .show = [](RunConfig& config, int row) {
                     return QString::fromStdString(config.data.inputs[static_cast<std::size_t>(row)]);
                   }};
  drawn.take = [](RunConfig& config, int row, const QString& text) {
    config.data.inputs[static_cast<std::size_t>(row)] = text.toStdString();
    return QString();
  };
  FormColumn from;
  from.title = tr("Derived from");
  from.tip = tr("The layers from which this shape is derived. Sizes that no layer determines have usual values.");
  from.width = 260;
  from.show = [this](RunConfig& config, int row) {
    const auto guesses = guessInputs(model_, config.batch);
    if (row >= guesses.size()) return QString();
    const bool kept = config.data.inputs[static_cast<std::size_t>(row)] == guesses[row].spec.toStdString();
    return kept ? guesses[row].from : tr("edited");
  };
  inputs.columns = {argument, drawn, from};
  inputs.rows = [](const RunConfig& config) { return static_cast<int>(config.data.inputs.size()); };
  inputs.rowPath = [](const RunConfig&, int) { return QStringLiteral("data.inputs"); };
  table(new FormTable(document_, inputs), [](const RunConfig& config) {
    return config.data.kind == "synthetic" && !QString::fromStdString(config.model).startsWith(u"sample:");
  });
  whole(
      {QStringLiteral("data.classes"), tr("Classes"), tr("Random labels are below this number.")},
      [](RunConfig& c) -> std::int64_t& { return c.data.classes; }, {}, kindIs("synthetic"));
}

void DataSection::addFiles() {
  table(new FormTable(document_, filesSpec()), kindIs("files"));
  table(mapping(false), kindIs("files"));
  table(mapping(true), kindIs("files"));
  number(
      {QStringLiteral("data.test"), tr("Held out"),
       tr("Share of the rows reserved for evaluations, selected with the seed. 0.1 is one in ten."), tr("of the rows")},
      [](RunConfig& c) -> double& { return c.data.test; }, tr("none"), kindIs("files"));
  flag(
      {QStringLiteral("data.shuffle"),
       QString(),
       tr("Uses a new order in each epoch, determined by the seed."),
       {},
       true},
      [](RunConfig& c) -> bool& { return c.data.shuffle; }, tr("Shuffled"),
      [](const RunConfig& config) { return config.data.kind != "synthetic"; });
  whole(
      {QStringLiteral("data.prefetch"), tr("Prefetch"),
       tr("Number of batches prepared in advance by a separate thread. Results do not change."), tr("batches"), true},
      [](RunConfig& c) -> std::int64_t& { return c.data.prefetch; }, tr("none"));
}

std::vector<std::string> DataSection::argumentNames() const {
  std::vector<std::string> names;
  for (const wire::ArgumentInfo& input : model_.inputs) {
    if (input.default_value.empty() || document_->config().data.columns.contains(input.name))
      names.push_back(input.name);
  }
  for (const auto& [name, column] : document_->config().data.columns) {
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  return names;
}

QStringList DataSection::arrayNames() const {
  QStringList all{QString()};
  for (const wire::DataArray& array : arrays_.arrays) {
    const auto same = [&](const wire::DataArray& other) { return other.name == array.name; };
    const bool alone = std::count_if(arrays_.arrays.begin(), arrays_.arrays.end(), same) == 1;
    const QString name = QString::fromStdString(array.name);
    all << (alone ? name : QFileInfo(QString::fromStdString(array.file)).fileName() + u':' + name);
  }
  return all;
}

void DataSection::addPreview() {
  auto* page = new QWidget;
  auto* layout = new QVBoxLayout(page);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(4);
  auto* row = new QHBoxLayout;
  look_->setAutoDefault(false);
  look_->setToolTip(tr("Reads the first batch as training does. Shows shapes, ranges and first values."));
  row->addWidget(look_);
  row->addWidget(note_, 1);
  layout->addLayout(row);
  views::setTone(note_, views::Tone::kSecond);
  note_->setWordWrap(true);
  note_->setAccessibleName(tr("Batch preview"));
  columns_->setHorizontalHeaderLabels(
      {tr("Batch"), tr("Dtype"), tr("Shape"), tr("Range"), tr("Mean"), tr("First values")});
  table_->setModel(columns_);
  views::styleTable(table_);
  table_->setSortingEnabled(false);
  table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  table_->setAccessibleName(tr("Batch preview"));
  table_->horizontalHeader()->setStretchLastSection(true);
  table_->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  table_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  table_->setFrameShape(QFrame::StyledPanel);
  constexpr int widths[] = {92, 60, 116, 190, 60, 120};
  for (int column = 0; column < columns_->columnCount(); ++column) table_->setColumnWidth(column, widths[column]);
  table_->hide();
  layout->addWidget(table_);
  widget(page);
  connect(look_, &QPushButton::clicked, this, [this] {
    note_->setText(tr("Reading…"));
    Q_EMIT previewWanted();
  });
}

void DataSection::showPreview(const wire::DataPreview& preview) {
  columns_->setRowCount(0);
  for (const wire::DataColumn& column : preview.columns) {
    QStringList first;
    for (const double each : column.first) first << views::figure(each);
    if (!column.labels.empty()) first << tr("classes: %n", nullptr, static_cast<int>(column.labels.size()));
    const bool tensor = !column.shape.empty() || !column.first.empty();
    const bool ranged = tensor && std::isfinite(column.lowest);
    QString range =
        ranged ? tr("%1 to %2").arg(views::figure(column.lowest), views::figure(column.highest)) : QStringLiteral("–");
    if (column.non_finite > 0) range += tr(", %1 not finite").arg(views::grouped(column.non_finite));
    const QString name = QString::fromStdString(column.name);
    const QStringList cells{
        column.target ? tr("%1 (target)").arg(name) : name,        QString::fromStdString(column.dtype),
        tensor ? shapeText(column.shape) : QStringLiteral("–"),    range,
        ranged ? views::figure(column.mean) : QStringLiteral("–"), first.join(QStringLiteral("  "))};
    QList<QStandardItem*> items;
    for (const QString& cell : cells) {
      auto* item = new QStandardItem(cell);
      item->setToolTip(cell);
      items << item;
    }
    columns_->appendRow(items);
  }
  table_->setFixedHeight(28 + columns_->rowCount() * 24 + 2);
  table_->show();
  views::setTone(note_, views::Tone::kSecond);
  note_->setText(preview.examples == 0
                     ? tr("Training examples are generated without limit.")
                     : tr("%1 training examples, %2 held out, %3 batches per epoch.")
                           .arg(views::grouped(preview.examples), views::grouped(preview.test_examples),
                                views::grouped(preview.batches)));
}

void DataSection::showNoPreview(const Problem& problem) {
  table_->hide();
  note_->setText(problem.text());
}

}  // namespace binade::app
