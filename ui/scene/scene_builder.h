// SPDX-License-Identifier: GPL-3.0-or-later
// How a scene is put together; used by scene*.cpp alone. Drawn back to front: frames and links, devices, what lies on
// them, what is on its way.
#pragma once

#include <QCoreApplication>

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "ui/scene/scene.h"

namespace lab {

class SceneBuilder {
  friend class ZoomedReplica;
  Q_DECLARE_TR_FUNCTIONS(lab::SceneBuilder)

 public:
  explicit SceneBuilder(const SceneInput& input);
  Scene build();

 private:
  // scene.cpp
  void addTop();
  QStringList topFacts(const StrategyInfo& strategy) const;  // beside its name, the most needed first
  bool addScales(const QRectF& line);
  void addCaption();
  void addFrames();

  // scene_beats.cpp
  double startUpEndsS() const;  // until then the clock stands at the step's beginning, and nothing is on its way
  QRectF addStepsGround();
  void addStartup();
  void addInput();
  QRectF chipPlace(const StageColumn& column, double width) const;
  void addLosses();
  void addEpoch();
  void addEvaluation();
  bool isAt(BeatKind kind) const;
  QRectF cardBox() const;  // of two lines: in the batch's place, or above the columns where that is taken
  void addCard(const Object& object, const QString& line, const QString& detail, bool warns = false);

  // scene_batch.cpp
  void addBatch();
  void addHandedOut(const QRectF& box);
  void addDigits();
  void addAnswer(const QRectF& box, int replica, std::size_t index);
  void addCoordinator();
  QRectF coordinatorBox() const;
  bool isMissed(int worker) const;  // the coordinator knows that it is dead
  void addHistogram();

  // scene_columns.cpp
  struct Header {
    QString name, hardware;
    double hardwarePx = 0;
    std::optional<QRectF> badge, hardwareBox;  // where there is room for them
  };
  Header headerOf(const StageColumn& column) const;
  void addColumn(const StageColumn& column);
  bool waits(int replica) const;        // it has nothing to do until others are ready
  QString idleness(int replica) const;  // what a worker does while its layers rest; "" where they compute
  void addBrief(const StageColumn& column);
  void addIdleness(const StageColumn& column);
  void addTrayWords(const StageColumn& column);
  void addWaiting(const StageColumn& column);
  void addLayers(const StageColumn& column);
  void lightLayer(Item& item, const NetworkLayer& layer, int replica) const;
  double layerLabel(const StageColumn& column, const QRectF& box) const;
  // The right part of a layer's row, for what it gives for the replica's first image; empty: no room.
  QRectF outputRoom(const StageColumn& column, const QRectF& box, double labelWidth) const;
  void addOutput(const StageColumn& column, const NetworkLayer& layer, const QRectF& room);
  void addLayerValues(Item& item, const NetworkLayer& layer, std::int64_t version, double labelWidth,
                      double outputWidth) const;
  void addLoss(const StageColumn& column, const QRectF& box, Qt::Alignment align = Qt::AlignCenter);
  Item& addBadge(const StageColumn& column, const QRectF& box);
  void addWeights(const StageColumn& column);
  void nameStrip(const StageColumn& column);
  QStringList stripNames(int replica) const;
  void addStrip(int replica);
  std::size_t endOfPicture(const QRectF& strip, std::size_t first) const;
  bool isCompared() const;  // the check's difference is there
  void addCheck();

  // scene_equations.cpp
  struct EquationLine {
    QRectF label, picture;
  };
  struct Sum {  // what is added at a place at one moment
    int endpoint = 0;
    BufferRange range;
    std::int64_t endNs = 0;
    bool adds = false;                   // else it takes the place of what was there
    double docked = 0, sunk = 0;         // 0 to 1
    std::vector<std::size_t> transfers;  // by their order
  };
  enum class Reach { ToLoss, ToBuffer, OverBuffer };  // how far down an equation lies over a replica
  QRectF equationGround(int endpoint, Reach reach) const;
  QRectF equationRoom(int endpoint, Reach reach = Reach::ToBuffer) const;
  QRectF stripOf(int endpoint) const;
  QRectF pieceOf(int endpoint, const BufferRange& range) const;
  std::vector<EquationLine> linesIn(const QRectF& room, std::size_t count, double most, bool closing) const;
  void addGround(int endpoint, const Object& object, double opacity, Reach reach);
  Item& addTerm(const QRectF& picture, const Values& values, const Object& object);
  void nameTerm(std::size_t term, const QRectF& label, const QStringList& forms, double opacity);
  Item& addVariables(const EquationLine& line, const Values& values, const Object& object, const QStringList& forms,
                     double opacity, bool edged = true);
  bool isWhole(const Aggregation::Contributions& of) const;
  Aggregation::Contributions counted(Aggregation::Contributions of) const;
  QStringList contributorNames(const Aggregation::Contributions& of) const;
  static constexpr double kDockAt = 0.6;     // of its way, from where on a piece goes to its line
  bool docksAt(const Span& transfer) const;  // its destination shows equations
  bool hasEquation(int endpoint, const BufferRange& range) const;
  void findSums();
  void addSums();
  void addRest(int endpoint, std::size_t lines, double opacity);
  struct SumPlace {
    std::vector<EquationLine> lines;
    QRectF piece;  // of the buffer
    bool alone = false;
    double docked = 0, words = 0;  // how far its terms are there; how much of the words is seen: not over what moves
    QRectF picture(std::size_t line) const;
    QRectF label(std::size_t line) const;
  };
  void addSum(const Sum& sum, bool alone);
  void addEquals(const SumPlace& place, std::size_t count);
  double updated(int endpoint) const;
  double shownDuring(BeatKind kind) const;
  void addChange();
  void addChain(int endpoint, double opacity);
  QStringList sumNames() const;
  QStringList wholeSum() const;
  QString colourScaleText(double scale) const;
  void addComparison();
  void addStaleCopies();
  std::vector<EquationLine> copyLines(int replica, Reach reach = Reach::OverBuffer) const;
  void addCopy(int replica, double opacity, bool laid);
  QStringList differenceWords(int replica, bool known) const;
  void addEdges(const QRectF& picture, const BufferRange& range, double opacity = 1, bool overhangs = false);
  void nameVariables(const StageColumn& column);

  // scene_servers.cpp
  QRectF serverRoom(const QRectF& box) const;  // below its first line
  void addServers();
  QRectF addServer(const QRectF& box, const Object& object, BeatKind update, const QStringList& words);
  void addShelf(int server);
  void addCentral();
  QStringList centralNames() const;
  void nameCentral(const QRectF& line);

  // scene_transfers.cpp
  void addLinks();
  void addTransfers();
  bool hasYetToLeave(const Span& transfer) const;
  void describe(Item& token, const Span& transfer) const;  // whose gradients it carries
  Values valuesOf(const Span& transfer, const QRectF& from) const;
  // Where a piece of the buffer lies on an endpoint: a replica's strip, or a server's box.
  QRectF place(int endpoint, const Span& transfer) const;
  QRectF placeOfSums(int endpoint, const Span& transfer) const;
  QPainterPath route(const QRectF& from, const QRectF& to, int fromEndpoint, int toEndpoint) const;

  // scene_faults.cpp
  bool isDead(int worker) const;
  bool isGone(int endpoint) const;  // its task is dead
  QRectF boxOf(const DeadTask& dead) const;
  void addDead();
  void addLost();                     // marks on tasks that are
  QString absence(int worker) const;  // of a class; "" where it is there
  void addAbsent();
  void addMark(const QRectF& box, double top, double height, const QStringList& forms);
  void breakLink(Item& link, bool deadAtFrom);
  void addBroken();
  void addClosures();
  double wayOf(std::int64_t ns, bool arrives) const;

  // ---- shared
  Item& add(Item::Shape shape, const QRectF& box, const Object& object = {});
  Item& text(const QRectF& box, const QString& words, double scale = 1, Qt::Alignment align = Qt::AlignCenter);
  Item& chip(const QRectF& box, const QString& words, const Object& object = {});
  bool isServer(int endpoint) const { return endpoint >= info_.replicas; }
  // Updates in the weights that the replica or server holds now; -1: it has none yet.
  std::int64_t versionOf(int endpoint) const;
  // The version whose values the replica's copy has; -1: not known, since its copy differs from what is recorded
  // (before the update, a broken one).
  std::int64_t knownVersionOf(int replica) const;
  // The same where it has all of them.
  std::int64_t wholeVersionOf(int replica) const {
    return step_.partOfWeights(replica, ns_) < 1 ? -1 : knownVersionOf(replica);
  }
  // The picture of a range of an endpoint's buffer at this moment, for a box of this size; elements from `known` on are
  // not there yet. `server`: only what it holds; -1: all.
  Values gradientsIn(const QRectF& box, int endpoint, const BufferRange& range, std::int64_t known,
                     int server = -1) const;
  // What an endpoint does at this moment; nullptr while the movie is still at what comes before the computation.
  const Span* activity(int endpoint) const;
  bool isOnItsWay(const Span& transfer) const;
  // Where a moment lies in a beat's motion, 0 to 1; 1 after it, 0 before it or where the step has no such beat.
  bool coversWords(const QRectF& box) const;            // of what is in the scene already: texts, versions of weights
  void restNamesUnder(const QRectF& box, int replica);  // a chip covers no name of a layer: those rest meanwhile
  double progress(BeatKind kind) const;
  double cellEdge(std::int64_t offset) const;  // 0 to 1 along a strip
  QRectF partOf(const QRectF& strip, const BufferRange& range) const;
  bool isOfZeros(const Aggregation::Contributions& of) const { return (of & withImages_).none(); }
  QString voteText(int replica) const;  // "1/12"

  const SceneInput& input_;
  const RunInfo& info_;
  const StepIndex& step_;
  const StepRecord& record_;
  const StageLayout& layout_;
  const std::int64_t ns_;
  const double px_;
  bool asynchronous_;
  const int taking_;             // replicas with a part in the step
  const BaseStep* weightsBase_;  // whose weights can be compared with; null: nobody's
  Aggregation::State state_;
  Aggregation::Contributions withImages_;             // the replicas that have some
  std::map<std::pair<int, int>, QRectF> layerBoxes_;  // by column and operation; of networks that exchange sums
  std::vector<Sum> sums_;                             // that are seen being added
  struct Dock {
    QRectF line;
    double part = 0;  // of the way there
  };
  std::map<std::size_t, Dock> docks_;  // where transfers go at last: their lines in equations
  std::vector<QPointF> broken_;        // where links are
  Scene scene_;
};

// How many values are drawn in a box: squares of three pixels, which a film's colours can follow as well. Empty where
// it is too small for a picture.
QSize resolutionOf(const QRectF& box);
inline constexpr double kNarrowestPicture = 3;  // pixels wide

QRectF between(const QRectF& a, const QRectF& b, double t);
double easeInOut(double t);  // 0..1 to 0..1, slow at both ends

// Words are chosen without a painter: how wide they are at most, in any of the usual fonts.
double widthOf(const QString& words, double fontPx, bool bold = false);
// The first of these, the longest, that fits into `width`; the last one where none does.
QString longestThatFits(const QStringList& words, double width, double fontPx, bool bold = false);
// What the name of weights may be written in, no larger than `largest`.
double weightsFontPx(const QString& name, const QSizeF& badge, bool disc, double largest);

}  // namespace lab
